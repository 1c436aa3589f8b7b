import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { ENGINE_FOLDER, PURE_AREAS } from './areas.mjs';

const exists = (path: string) => existsSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)));

it.each(Object.entries(PURE_AREAS))('the area %s names existing files and tests', (_, { files, tests }) => {
  expect(files.length).toBeGreaterThan(0);
  expect(tests.length).toBeGreaterThan(0);
  expect([...files, ...tests].filter((path) => !exists(path))).toEqual([]);
});

it('the folder of the engine exists', () => {
  expect(exists(ENGINE_FOLDER)).toBe(true);
});
