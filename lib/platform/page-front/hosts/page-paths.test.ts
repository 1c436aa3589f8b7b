import { readdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { findPagePath } from './page-paths';

const pages = fileURLToPath(new URL('../../../../app/status/[slug]', import.meta.url));

/** The paths of the application below a page, with sample IDs and without the catch-all route. */
async function listRoutes(): Promise<string[]> {
  const files = await readdir(pages, { recursive: true }).catch(() => []);
  return files
    .filter((file) => /(^|\/)(route|page)\.tsx?$/.test(file) && !file.startsWith('[...'))
    .map((file) => `/${dirname(file)}`.replace(/^\/\.$/, '/'))
    .map((path) =>
      path
        .replace('incidents/[id]', 'incidents/inc_1')
        .replace('maintenance/[id]', 'maintenance/mnt_1')
        .replace('images/[name]', `images/${IMAGE}`),
    );
}

it('every path of the application below a page is served on its domain', async () => {
  const routes = await listRoutes();
  expect(routes.filter((path) => findPagePath(path) === null)).toEqual([]);
});

const IMAGE = `${'0af9'.repeat(8)}-120x40.png`;

it('an image has the name of one that can be uploaded', () => {
  const others = [
    '',
    'logo.png',
    IMAGE.toUpperCase(),
    `${IMAGE}/`,
    IMAGE.replace('png', 'svg'),
    IMAGE.slice(1),
  ];
  expect(others.filter((name) => findPagePath(`/images/${name}`) !== null)).toEqual([]);
});

it('no other path belongs to a page', () => {
  expect(
    ['', '/x', '/status', '/api', '/history/', '/incidents', '/incidents/mnt_1'].map(findPagePath),
  ).toEqual(Array(7).fill(null));
});
