import type { ProcessServices } from '@/lib/domain/context/services';
import { storeChecks, writeLedger } from '@/lib/domain/monitors/testing/history';
import { createSession } from '@/lib/domain/people/sessions';
import { rollUp } from '@/lib/engine/upkeep/roll-up';
import { sealSession, sessionCookieName } from '@/lib/web/auth/session';
import { addMonitors, addOrganization } from '../seed';

const DAY_MS = 86_400_000;
const CHANGES = 90;
const EVERY_SECONDS = 300;

/** Creates an organization whose monitors have a month of ledger and a day of checks; returns its owner's cookie. */
export async function seed(services: ProcessServices, monitors: number): Promise<string> {
  const { db, clock } = services;
  const { organizationId, userId } = await addOrganization(services, `bench-${monitors}`);
  const options = { monitors, interval: 60, timeout: 30 };
  await addMonitors(services, organizationId, options, () => 'http://127.0.0.1:9/');
  const rows = await db.monitor.findMany({ where: { organizationId }, select: { id: true } });
  const ids = rows.map(({ id }) => id);
  const now = clock.now();
  const since = (days: number) => new Date(now.getTime() - days * DAY_MS);
  await db.monitor.updateMany({ where: { organizationId }, data: { createdAt: since(40) } });
  await db.monitorState.updateMany({
    where: { monitorId: { in: ids } },
    data: { status: 'operational', lastCheckedAt: now, lastResponseTime: 48 },
  });
  await writeLedger(db, ids, { since: since(30), now, changes: CHANGES });
  await storeChecks(db, ids, { since: since(1), now, everySeconds: EVERY_SECONDS, regions: 1 });
  const session = await createSession(services, { userId, address: null, userAgent: null });
  return `${sessionCookieName(false)}=${await sealSession(services, session)}`;
}

/** Rolls up the hours of checks and updates planner statistics, as a worker does over time. */
export async function settle(services: ProcessServices): Promise<void> {
  while ((await rollUp(services)) > 0);
  await services.db.$executeRaw`ANALYZE`;
}
