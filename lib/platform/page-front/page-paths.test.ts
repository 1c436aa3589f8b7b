import { readdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { findPagePath } from './resolve-host';

const pages = fileURLToPath(new URL('../../../app/status/[slug]', import.meta.url));

/** The paths that the application has below a page, with an id that could be one; what answers that there is nothing left out. */
async function listRoutes(): Promise<string[]> {
  const files = await readdir(pages, { recursive: true }).catch(() => []);
  return files
    .filter((file) => /(^|\/)(route|page)\.tsx?$/.test(file) && !file.startsWith('[...'))
    .map((file) => `/${dirname(file)}`.replace(/^\/\.$/, '/'))
    .map((path) =>
      path.replace('incidents/[id]', 'incidents/inc_1').replace('maintenance/[id]', 'maintenance/mnt_1'),
    );
}

it('every path that the application has below a page is served on its domain', async () => {
  const routes = await listRoutes();
  expect(routes.filter((path) => findPagePath(path) === null)).toEqual([]);
});

it('nothing else is a path of a page', () => {
  expect(
    ['', '/x', '/status', '/api', '/history/', '/incidents', '/incidents/mnt_1'].map(findPagePath),
  ).toEqual(Array(7).fill(null));
});
