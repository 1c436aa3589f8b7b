import { expect, it } from 'vitest';
import { createManualClock } from '@/lib/core/time/clock';
import { useSharedDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices } from '@/lib/testing/services';
import { readEdits } from './read-edits';
import { recordAudit } from './record-audit';

const MINUTE = 60_000;
const NOW = new Date('2026-03-10T18:00:00.000Z');
const ago = (minutes: number) => new Date(NOW.getTime() - minutes * MINUTE);

const database = useSharedDatabase();

it('edits name who changed which fields and when, newest first, but no values', async () => {
  const clock = createManualClock(ago(30));
  const { ctx } = await createTestOrganization(createTestServices({ db: database.db, clock }));
  const subject = { id: 'mon_1', label: 'Shop' };
  const write = (fields: object) =>
    database.db.$transaction((tx) => recordAudit(tx, ctx, { action: 'monitor.update', subject, ...fields }));
  await write({ after: { url: 'https://old.test' } });
  clock.set(ago(10));
  await write({
    before: { url: 'https://old.test', name: 'Shop' },
    after: { url: 'https://new.test', name: 'Shop' },
  });
  clock.set(NOW);
  const span = { since: ago(60), until: NOW, limit: 10 };
  const edits = await readEdits(ctx, ['mon_1'], span);
  expect(edits.map(({ at, fields }) => [at, fields])).toEqual([
    [ago(10), ['url']],
    [ago(30), []],
  ]);
  expect(JSON.stringify(edits)).not.toContain('new.test');
  expect(await readEdits(ctx, ['mon_1'], { ...span, since: ago(20) })).toHaveLength(1);
  const other = await createTestOrganization(createTestServices(database));
  expect(await readEdits(other.ctx, ['mon_1'], span)).toEqual([]);
});
