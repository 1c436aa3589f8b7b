import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createLogger } from '@/lib/core/logger';
import { createManualClock } from '@/lib/core/time/clock';
import { addPage } from '@/lib/domain/status-pages/testing/pages';
import type { TIMETABLE } from '@/lib/engine/timetable/timetable';
import { useTestDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices } from '@/lib/testing/services';
import { addReviewPages, TIMETABLE_FILE } from './testing/add-review-pages';

const database = useTestDatabase();

// That it compiles: add-claimed-work.thorough.test.ts.
it('a kind of claimed work is one value and a row of the timetable, which two workers do once', async () => {
  const copy = await addReviewPages();
  onTestFinished(copy.remove);
  const { db } = database;
  const clock = createManualClock(new Date('2026-03-10T12:00:00.000Z'));
  const services = { ...createTestServices({ db, clock }), log: createLogger('silent', 'test') };
  const { ctx } = await createTestOrganization(services);
  const { id } = await addPage(ctx);
  await db.$executeRaw`ALTER TABLE status_page ADD COLUMN review_at TIMESTAMPTZ(3)`;
  await db.$executeRaw`UPDATE status_page SET review_at = ${clock.now()} WHERE id = ${id}`;
  const extended: { TIMETABLE: typeof TIMETABLE } = await import(join(copy.directory, TIMETABLE_FILE));
  const job = extended.TIMETABLE.find(({ name }) => name === 'reviews of pages');
  const runs = [1, 2].map(() => job?.run({ services, notices: null }));
  expect((await Promise.all(runs)).toSorted()).toEqual([0, 1]);
  const pages = await db.$queryRaw`SELECT review_at AS at FROM status_page WHERE id = ${id}`;
  expect(pages).toEqual([{ at: new Date('2026-06-08T12:00:00.000Z') }]);
});
