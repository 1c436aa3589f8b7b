import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkSyntax, findMissingPrograms, type GuideSandbox, openSandbox } from './testing/guide-sandbox';
import { type CommandBlock, parseBlocks, readGuides } from './testing/read-guides';

/** Why a block is not run here; null: it is. */
function explainSkip(block: CommandBlock): string | null {
  const missing = findMissingPrograms(block);
  return block.skipped ?? (missing.length > 0 ? `${missing.join(' and ')} is not installed` : null);
}

for (const { name, blocks } of readGuides().filter((guide) => guide.blocks.length > 0)) {
  describe(`the commands of docs/operate/${name}`, () => {
    const cases = blocks.map((block) => ({ block, skip: explainSkip(block) }));
    const isIdle = cases.every(({ skip }) => skip !== null);
    let sandbox: GuideSandbox;
    beforeAll(async () => {
      if (!isIdle) sandbox = await openSandbox();
    });
    afterAll(async () => {
      if (!isIdle) await sandbox.close();
    });

    for (const { block, skip } of cases) {
      const title = `line ${block.line}: ${block.commands.split('\n')[0]?.slice(0, 80)}`;
      if (skip !== null) it(`${title} (only its syntax)`, () => expect(checkSyntax(block.commands)).toBe(''));
      it.skipIf(skip !== null)(skip === null ? title : `${title} (skipped: ${skip})`, async () => {
        const { code, output } = await sandbox.run(block);
        expect(code, output).toBe(0);
      });
    }
  });
}

it('a block of commands has its line, and at most a comment that tests know', () => {
  const text =
    'Words\n\n<!-- test: skip no cluster -->\n```sh\nkubectl get pods\n```\n\n   ```sh\n   ls\n   ```\n';
  expect(parseBlocks(text)).toEqual([
    { line: 4, commands: 'kubectl get pods\n', skipped: 'no cluster', place: 'service' },
    { line: 8, commands: 'ls\n', skipped: null, place: 'service' },
  ]);
  expect(() => parseBlocks('<!-- test: sip -->\n```sh\nls\n```\n')).toThrow('unknown mark of a block: sip');
});
