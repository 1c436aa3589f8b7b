import { setTimeout as delay } from 'node:timers/promises';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import type { Services } from '@/lib/domain/context/services';
import { updateIncident } from '@/lib/domain/incidents/change-incident';
import { createIncident } from '@/lib/domain/incidents/create-incident';
import { storeChecks, writeLedger } from '@/lib/domain/monitors/testing/history';
import { addMonitor, addPage } from '@/lib/domain/status-pages/testing/pages';
import { advanceMonitors } from '@/lib/engine/checks/advance-monitors';
import { lockMonitors } from '@/lib/engine/checks/recording/monitor-states';
import { ensureResultPartitions } from '@/lib/engine/upkeep/retention';
import { createIncidentSchema } from '@/lib/schemas/incidents/incident';
import type { ResultInput } from '@/lib/state/types';

export const SLUG = 'bench';
export const SHOWN = 40;
export const CHANGING = 50;
/** A little more than the bars show. */
const DAYS = 95;
const CHANGES_A_DAY = 3;
/** Long enough for a check to stay current during the measurement. */
const EVERY_SECONDS = 300;
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const TYPES = [{ url: 'https://shop.example.com/' }, { type: 'tcp', url: 'db.example.com:5432' }];

/**
 * Creates 50 monitors with a recent check, a page with 40 of them and another with all, 95 days of ledger with 90 changes a month, and incidents. Returns the
 * monitors, those of the first page first.
 */
export async function seed(ctx: OrganizationContext): Promise<string[]> {
  const ids: string[] = [];
  for (let number = 0; number < CHANGING; number += 1) {
    const fields = {
      name: `Service ${number + 1}`,
      interval: EVERY_SECONDS,
      ...TYPES[number % TYPES.length],
    };
    ids.push(
      await addMonitor(ctx, { ...fields, alertThreshold: 1, recoveryThreshold: 1, regions: ['us-east'] }),
    );
  }
  await setStatuses(ctx, ids, 'operational');
  const now = ctx.clock.now();
  const since = new Date(now.getTime() - DAYS * DAY_MS);
  await ctx.db.monitor.updateMany({ where: { id: { in: ids } }, data: { createdAt: since } });
  await writeLedger(ctx.db, ids, { since, now, changes: DAYS * CHANGES_A_DAY });
  await ensureResultPartitions(ctx.db, now);
  await storeChecks(ctx.db, ids, { since: now, now, everySeconds: EVERY_SECONDS, regions: 1 });
  await ctx.db.$executeRaw`VACUUM (ANALYZE)`;
  const shown = ids.slice(0, SHOWN);
  await addIncidents(ctx, shown);
  await addPage(ctx, { name: 'Bench', slug: SLUG, monitors: shown, published: true });
  await addPage(ctx, { name: 'All', slug: `${SLUG}-all`, monitors: ids, published: true });
  return ids;
}

/** An open incident, and three resolved ones of the last days. */
async function addIncidents(ctx: OrganizationContext, ids: string[]): Promise<void> {
  for (const daysAgo of [9, 5, 2, 0]) {
    const affectedMonitors = ids.slice(daysAgo, daysAgo + 3);
    const input = { title: 'Slow responses', description: 'Some requests take long.', affectedMonitors };
    const { id } = await createIncident(ctx, createIncidentSchema.parse(input));
    await updateIncident(ctx, id, {
      message: 'We found the cause and are working on a fix.',
      status: 'identified',
    });
    if (daysAgo === 0) continue;
    await updateIncident(ctx, id, { message: 'The problem is resolved.', status: 'resolved' });
    const at = new Date(ctx.clock.now().getTime() - daysAgo * DAY_MS);
    const resolvedAt = new Date(at.getTime() + 40 * MINUTE_MS);
    await ctx.db.incident.update({
      where: { id },
      data: { createdAt: at, updatedAt: resolvedAt, resolvedAt },
    });
    await ctx.db.incidentUpdate.updateMany({ where: { incidentId: id }, data: { createdAt: resolvedAt } });
  }
}

type Status = 'operational' | 'degraded' | 'down';

const OUTCOMES = {
  operational: { outcome: 'ok', responseTime: 40, statusCode: 200, error: null },
  degraded: { outcome: 'ok', responseTime: 20_000, statusCode: 200, error: null },
  down: {
    outcome: 'failed',
    responseTime: 40,
    statusCode: 503,
    error: { code: 'status', message: 'responded with 503, expected 200' },
  },
} as const;

/** The recorder of the worker batches results for 200 ms: that many transactions per second. */
const BATCHES = 5;

/** Applies results that change the status of monitors, like the engine, in one transaction. */
async function setStatuses(services: Services, ids: string[], status: Status): Promise<void> {
  await services.db.$transaction(async (tx) => {
    const { monitors, now } = await lockMonitors(tx, services, ids);
    const input: ResultInput = {
      kind: 'result',
      region: 'us-east',
      startedAt: now.getTime(),
      certificateExpiresAt: null,
      ...OUTCOMES[status],
    };
    const observation = { checkedAt: now, responseTime: input.responseTime };
    const advances = monitors.map((monitor) => ({ monitor, inputs: [input], observation }));
    await advanceMonitors(tx, services, advances, now);
  });
}

/** Changes the status of all `ids` once a second, in five transactions, until stopped. Returns the number of changes. */
export function keepChanging(services: Services, ids: string[]): { stop(): Promise<number> } {
  let isStopped = false;
  let changes = 0;
  const size = Math.ceil(ids.length / BATCHES);
  const work = async () => {
    const startedAt = performance.now();
    for (let turn = 0; !isStopped; turn += 1) {
      const from = (turn % BATCHES) * size;
      const own = ids.slice(from, from + size);
      const isEven = Math.floor(turn / BATCHES) % 2 === 0;
      await setStatuses(services, own, isEven ? 'degraded' : 'down');
      changes += own.length;
      await delay(Math.max(0, startedAt + ((turn + 1) * 1000) / BATCHES - performance.now()));
    }
  };
  const working = work();
  return {
    stop: async () => {
      isStopped = true;
      await working;
      return changes;
    },
  };
}
