import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { listFiles } from './sources.mjs';

it('a build depends on code, styles and SQL, but neither on tests nor on a README.md', async () => {
  const root = await mkdtemp(join(tmpdir(), 'pharos-sources-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const read = ['lib/code.ts', 'lib/inner/page.css', 'lib/inner/table.sql'];
  const ignored = ['lib/README.md', 'lib/inner/README.md', 'lib/code.test.ts', 'lib/testing/helper.ts'];
  for (const path of [...read, ...ignored]) {
    await mkdir(join(root, path, '..'), { recursive: true });
    await writeFile(join(root, path), '');
  }
  expect(listFiles(root, 'lib')).toEqual(read);
});
