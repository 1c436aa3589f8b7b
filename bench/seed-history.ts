import type { ProcessServices, Services } from '@/lib/domain/context/services';
import { recordPresence } from '@/lib/domain/monitors/silence';
import { storeChecks, writeLedger } from '@/lib/domain/monitors/testing/history';
import { createSession } from '@/lib/domain/people/sessions';
import { ensureResultPartitions } from '@/lib/engine/upkeep/retention';
import { rollUp } from '@/lib/engine/upkeep/roll-up';
import { BUILT_IN_REGION_IDS } from '@/lib/schemas/regions';
import { initialState } from '@/lib/state/initial-state';
import { sealSession, sessionCookieName } from '@/lib/web/auth/session';
import { count, log } from './playground';
import { addMonitors, addOrganization } from './seed';

const DAY_MS = 86_400_000;
/** Long enough for the last checks to stay current during the measurement. */
const EVERY_SECONDS = 300;
const PRESENCE_MS = 5000;
/** Beyond this many monitors, histories are a tenth as long. */
const MANY = 10_000;
/** Monitors whose history is written in one statement: half a million periods at most. */
const BATCH = 2000;

/** What a bench needs to read the monitors of an organization. */
export type Seeded = { monitors: number; apiKey: string; cookie: string; monitorId: string };

/** Creates an organization for each number of monitors, which have three months of ledger, with 90 changes a month, and a day of checks. */
export async function seedHistories(services: ProcessServices, sizes: readonly number[]): Promise<Seeded[]> {
  await ensureResultPartitions(services.db, services.clock.now());
  const seeded: Seeded[] = [];
  for (const monitors of sizes) {
    log(`writing the history of ${count(monitors)} monitors`);
    seeded.push(await seedHistory(services, monitors));
  }
  await settle(services);
  return seeded;
}

async function seedHistory(services: ProcessServices, monitors: number): Promise<Seeded> {
  const { db, clock } = services;
  const { organizationId, userId, apiKey } = await addOrganization(services, `bench-${monitors}`);
  const options = { monitors, interval: EVERY_SECONDS, timeout: 30 };
  await addMonitors(services, organizationId, options, () => 'http://127.0.0.1:9/');
  const rows = await db.monitor.findMany({ where: { organizationId }, select: { id: true } });
  const ids = rows.map(({ id }) => id);
  const now = clock.now();
  const since = (days: number) => new Date(now.getTime() - days * DAY_MS);
  await db.monitor.updateMany({ where: { organizationId }, data: { createdAt: since(100) } });
  await db.monitorState.updateMany({
    where: { monitorId: { in: ids } },
    data: {
      status: 'operational',
      machine: { ...initialState(since(1).getTime()), status: 'operational' },
      lastCheckedAt: now,
      lastResponseTime: 48,
    },
  });
  const isMany = monitors > MANY;
  const ledger = { since: since(isMany ? 9 : 90), now, changes: isMany ? 27 : 270 };
  for (let from = 0; from < ids.length; from += BATCH) {
    const batch = ids.slice(from, from + BATCH);
    await writeLedger(db, batch, ledger);
    // PostgreSQL plans the statements of triggers once, and would plan them for an empty table.
    if (from === 0) await db.$executeRaw`ANALYZE status_period, uptime_month`;
    if (monitors > BATCH) log(`${count(from + batch.length)} of ${count(monitors)}`);
  }
  await storeChecks(db, ids, {
    since: since(isMany ? 0.01 : 1),
    now,
    everySeconds: EVERY_SECONDS,
    regions: 1,
  });
  const session = await createSession(services, { userId, address: null, userAgent: null });
  const cookie = `${sessionCookieName(false)}=${await sealSession(services, session)}`;
  return { monitors, apiKey, cookie, monitorId: ids[0] ?? '' };
}

/** Leaves the database as workers would: checks rolled up, planner statistics current, and all regions served until the process ends. */
async function settle(services: ProcessServices): Promise<void> {
  await keepServed(services);
  while ((await rollUp(services)) > 0);
  await services.db.$executeRaw`VACUUM (ANALYZE)`;
}

/** Serves all regions until the process ends, as live workers do. */
export async function keepServed(services: Services): Promise<void> {
  const serve = () => recordPresence(services, { regions: BUILT_IN_REGION_IDS, duties: 'all' });
  await serve();
  // The database may be stopped as part of a measurement.
  setInterval(() => serve().catch(() => undefined), PRESENCE_MS).unref();
}
