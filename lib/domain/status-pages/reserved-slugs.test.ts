import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { isSlug, RESERVED_SLUGS } from '@/lib/schemas/status-pages/slug';

const app = fileURLToPath(new URL('../../../app', import.meta.url));

/** The first segments of the app's paths; folders in parentheses are not part of URLs, and test helpers have none. */
async function firstSegments(directory: string): Promise<string[]> {
  const folders = (await readdir(directory, { withFileTypes: true })).filter(
    (entry) => entry.isDirectory() && entry.name !== 'testing',
  );
  const lists = folders.map(({ name }) =>
    name.startsWith('(') ? firstSegments(`${directory}/${name}`) : Promise.resolve([name]),
  );
  return (await Promise.all(lists)).flat();
}

it('the first segment of every path of the app is a reserved slug', async () => {
  const segments = (await firstSegments(app)).filter(isSlug);
  expect(segments).toContain('api');
  expect(segments.filter((segment) => !RESERVED_SLUGS.includes(segment))).toEqual([]);
});

it('every reserved slug is well-formed', () => {
  expect(RESERVED_SLUGS.filter((slug) => !isSlug(slug))).toEqual([]);
  expect(new Set(RESERVED_SLUGS).size).toBe(RESERVED_SLUGS.length);
});
