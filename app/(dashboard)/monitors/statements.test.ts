import { afterAll, beforeAll, expect, it } from 'vitest';
import { createManualClock } from '@/lib/core/time/clock';
import { createMonitor } from '@/lib/domain/monitors/create-monitor';
import { getMonitor } from '@/lib/domain/monitors/find-monitor';
import { listOverviews, readStrips } from '@/lib/domain/monitors/lists/list-overviews';
import { recordPresence } from '@/lib/domain/monitors/silence';
import { storeChecks, writeLedger } from '@/lib/domain/monitors/testing/history';
import { createSession } from '@/lib/domain/people/sessions';
import { ensureResultPartitions } from '@/lib/engine/upkeep/retention';
import { joinReads } from '@/lib/platform/db/read-together';
import { createMonitorSchema } from '@/lib/schemas/monitor';
import { monitorViewSchema } from '@/lib/schemas/monitor/monitor-view';
import { createTestDatabase, type TestDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices, type TestOrganization } from '@/lib/testing/services';
import { openCountingDatabase } from '@/lib/testing/statements';
import { readSession, sealSession } from '@/lib/web/auth/session';
import { readFrame } from '../read-frame';
import { readPageData } from './[id]/page-data';

const NOW = new Date('2026-03-10T18:00:00.000Z');
const DAY = 86_400_000;
const SINCE = new Date(NOW.getTime() - 3_600_000);
const REGIONS = ['us-east', 'eu-west'] as const;
const MONITORS = 20;

let database: TestDatabase;
let mine: TestOrganization;
let counting: ReturnType<typeof openCountingDatabase>;
let ids: string[];

beforeAll(async () => {
  database = await createTestDatabase();
  const { db } = database;
  await ensureResultPartitions(db, NOW);
  const clock = createManualClock(SINCE);
  const services = createTestServices({ db, clock });
  mine = await createTestOrganization(services);
  ids = [];
  for (let n = 0; n < MONITORS; n++) {
    const input = { name: `Shop ${n}`, url: 'http://shop.test', regions: REGIONS };
    ids.push((await createMonitor(mine.ctx, createMonitorSchema.parse(input))).id);
  }
  clock.set(NOW);
  await recordPresence(services, { regions: REGIONS, duties: 'all' });
  await storeChecks(db, ids, { since: SINCE, now: NOW, everySeconds: 30, regions: 2 });
  await writeLedger(db, ids, { since: new Date(NOW.getTime() - 40 * DAY), now: NOW, changes: 60 });
  counting = openCountingDatabase(database.url);
});
afterAll(async () => {
  await counting.db.$disconnect();
  await database.close();
});

const own = () => ({ ...mine.ctx, db: counting.db });

/** Reads who is signed in, as every page of the dashboard does first. */
async function openVisit(): Promise<() => Promise<void>> {
  const { userId } = mine;
  const visitor = { address: null, userAgent: null };
  const cookie = await sealSession(mine.ctx, await createSession(mine.ctx, { userId, ...visitor }));
  return async () => expect(await readSession(own(), { cookie, visitor })).not.toBeNull();
}

it('the page with the list of monitors takes at most six statements', async () => {
  const readVisitor = await openVisit();
  const list = () =>
    counting.count(async () => {
      await readVisitor();
      await readFrame(own(), mine.userId);
      expect(await listOverviews(own())).toHaveLength(MONITORS);
      await readStrips(own(), ids);
    });
  // Once an hour, one more reads what was rolled up, and one when the periods in which windows begin are not known yet.
  await list();
  expect(await list()).toBeLessThanOrEqual(6);
});

it('the page of a monitor takes three statements: who visits, its monitor with what is around the page, and the rest', async () => {
  const readVisitor = await openVisit();
  const page = () =>
    counting.count(async () => {
      await readVisitor();
      const joining = { ...own(), db: joinReads(counting.db) };
      const [monitor] = await Promise.all([
        getMonitor(joining, ids[0] ?? ''),
        readFrame(joining, mine.userId),
      ]);
      await readPageData(own(), monitor, monitorViewSchema.parse({}));
    });
  // The first time, the last use of the session is written and the settings of the monitor are read.
  await page();
  expect(await page()).toBe(3);
});
