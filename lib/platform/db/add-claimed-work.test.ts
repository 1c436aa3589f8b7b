import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createLogger } from '@/lib/core/logger';
import { createManualClock } from '@/lib/core/time/clock';
import { addPage } from '@/lib/domain/status-pages/testing/pages';
import type { TIMETABLE } from '@/lib/engine/timetable/timetable';
import { type CodeCopy, copyCode, readGuideBlocks } from '@/lib/testing/code-copy';
import { useTestDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices } from '@/lib/testing/services';

// Follows "Add a kind of claimed work" of CONTRIBUTING.md in a copy of lib/engine/upkeep and lib/engine/timetable: it compiles, and is done.

const database = useTestDatabase();
let copy: CodeCopy;

beforeAll(async () => {
  copy = await copyCode('lib/engine/upkeep', 'lib/engine/timetable');
});
afterAll(() => copy.remove());

it('a kind of claimed work is one value and a row of the timetable, which two workers do once', async () => {
  const blocks = await readGuideBlocks('Add a kind of claimed work');
  expect(blocks.map(([path]) => path)).toEqual([
    'lib/engine/upkeep/review-pages.ts',
    'lib/engine/timetable/timetable.ts',
  ]);
  const [[path, code] = ['', ''], [timetable, row] = ['', '']] = blocks;
  await copy.write(path, code);
  const types = fileURLToPath(new URL('../../schemas/status-pages/css-tree.d.ts', import.meta.url));
  await copy.write('css-tree.d.ts', `/// <reference path="${types}" />\n`);
  await copy.edit(
    timetable,
    ['import ', "import { reviewPages } from '../upkeep/review-pages';\nimport "],
    ['readonly Job[] = [\n', `readonly Job[] = [\n${row}`],
  );
  expect(await copy.compile()).toBe('');

  const { db } = database;
  const clock = createManualClock(new Date('2026-03-10T12:00:00.000Z'));
  const services = { ...createTestServices({ db, clock }), log: createLogger('silent', 'test') };
  const { ctx } = await createTestOrganization(services);
  const { id } = await addPage(ctx);
  await db.$executeRaw`ALTER TABLE status_page ADD COLUMN review_at TIMESTAMPTZ(3)`;
  await db.$executeRaw`UPDATE status_page SET review_at = ${clock.now()} WHERE id = ${id}`;
  const extended: { TIMETABLE: typeof TIMETABLE } = await import(join(copy.directory, timetable));
  const job = extended.TIMETABLE.find(({ name }) => name === 'reviews of pages');
  const runs = [1, 2].map(() => job?.run({ services, notices: null }));
  expect((await Promise.all(runs)).toSorted()).toEqual([0, 1]);
  const pages = await db.$queryRaw`SELECT review_at AS at FROM status_page WHERE id = ${id}`;
  expect(pages).toEqual([{ at: new Date('2026-06-08T12:00:00.000Z') }]);
});
