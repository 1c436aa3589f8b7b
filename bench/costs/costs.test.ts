import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { writeDocument } from '@/app/api/openapi.json/describe';
import { root } from '../playground';

it('the committed table has every operation of the API', async () => {
  const table = await readFile(join(root, 'docs/benchmarks/costs.md'), 'utf8');
  const text = await writeDocument({ serviceName: 'Pharos', baseUrl: 'http://pharos.test/api' });
  const { paths }: { paths: Record<string, object> } = JSON.parse(text);
  const names = Object.entries(paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(names.length).toBeGreaterThan(100);
  const missing = names.filter((name) => !table.includes(`| \`${name}\` |`));
  expect(missing, 'run `npm run bench:costs`').toEqual([]);
});
