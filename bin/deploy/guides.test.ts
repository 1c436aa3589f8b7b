import { describe, expect, it } from 'vitest';
import { checkSyntax } from './testing/guide-sandbox';
import { parseBlocks, readGuides } from './testing/read-guides';

// guides.thorough.test.ts runs them.
for (const { name, blocks } of readGuides().filter((guide) => guide.blocks.length > 0)) {
  describe(`the commands of docs/operate/${name}`, () => {
    it.each(blocks)('are correct shell in line $line', ({ commands }) => {
      expect(checkSyntax(commands)).toBe('');
    });
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
