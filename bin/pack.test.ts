import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { TOOLS } from './testing/tools';

it('production dependencies contain no compilers, types or test tools', () => {
  const { dependencies } = JSON.parse(
    readFileSync(fileURLToPath(new URL('../package.json', import.meta.url)), 'utf8'),
  );
  expect(
    Object.keys(dependencies).filter((name) => TOOLS.includes(name) || name.startsWith('@types/')),
  ).toEqual([]);
});
