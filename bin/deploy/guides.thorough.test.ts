import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkSyntax, findMissingPrograms, type GuideSandbox, openSandbox } from './testing/guide-sandbox';
import { type CommandBlock, readGuides } from './testing/read-guides';

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
