import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../build.mjs';

/** Template threads have a bundle of their own, with the names of HTML entities. */
const WITH_ENTITIES = 'template-thread.mjs';
const MAX_KB = 1000;

it('keeps no text in memory that nobody reads: no large file has wide characters, and the compiler of Prisma is none', () => {
  const folder = join(root, 'dist');
  const files = readdirSync(folder).filter((name) => name.endsWith('.mjs') && name !== WITH_ENTITIES);
  const texts = files.map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }));
  const isWide = (text: string) => [...text].some((character) => character > '\u00ff');
  const large = texts.filter(
    ({ text }) => text.length > MAX_KB * 1024 || (text.length > 10_240 && isWide(text)),
  );
  expect(large.map(({ name }) => name)).toEqual([]);
  expect(readdirSync(folder).filter((name) => name.endsWith('.wasm'))).toHaveLength(1);
});
