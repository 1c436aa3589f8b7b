import { setTimeout as delay } from 'node:timers/promises';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import type { Services } from '@/lib/domain/context/services';
import { updateIncident } from '@/lib/domain/incidents/change-incident';
import { createIncident } from '@/lib/domain/incidents/create-incident';
import { clearLedger } from '@/lib/domain/monitors/testing/history';
import { addMonitor, addPage } from '@/lib/domain/status-pages/testing/pages';
import { advanceMonitors } from '@/lib/engine/checks/advance-monitors';
import { lockMonitors } from '@/lib/engine/checks/recording/monitor-states';
import type { PeriodState } from '@/lib/platform/db/generated/enums';
import { createIncidentSchema } from '@/lib/schemas/incidents/incident';
import type { ResultInput } from '@/lib/state/types';

export const SLUG = 'bench';
export const SHOWN = 20;
export const CHANGING = 50;
const DAYS = 90;
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const TYPES = [{ url: 'https://shop.example.com/' }, { type: 'tcp', url: 'db.example.com:5432' }];

/**
 * Creates 50 monitors, a page with 20 of them and another with all, 90 days of ledger with occasional problems, and
 * incidents. Returns the monitors, those of the first page first.
 */
export async function seed(ctx: OrganizationContext): Promise<string[]> {
  const ids: string[] = [];
  for (let number = 0; number < CHANGING; number += 1) {
    const fields = { name: `Service ${number + 1}`, ...TYPES[number % TYPES.length] };
    ids.push(
      await addMonitor(ctx, { ...fields, alertThreshold: 1, recoveryThreshold: 1, regions: ['us-east'] }),
    );
  }
  await setStatuses(ctx, ids, 'operational');
  await writeLedger(ctx, ids);
  await ctx.db.$executeRaw`ANALYZE`;
  const shown = ids.slice(0, SHOWN);
  await addIncidents(ctx, shown);
  await addPage(ctx, { name: 'Bench', slug: SLUG, monitors: shown, published: true });
  await addPage(ctx, { name: 'All', slug: `${SLUG}-all`, monitors: ids, published: true });
  return ids;
}

/** Each monitor was down or slow a different number of times, at different hours, for 5 to 90 minutes. */
async function writeLedger({ db, clock }: OrganizationContext, ids: string[]): Promise<void> {
  const now = clock.now().getTime();
  const start = new Date(now - (DAYS + 5) * DAY_MS);
  await db.monitor.updateMany({ where: { id: { in: ids } }, data: { createdAt: start } });
  await clearLedger(db, ids);
  const rows = ids.flatMap((monitorId, index) => {
    const troubles = listTroubles(index, now);
    const edges: { state: PeriodState; at: Date }[] = [
      { state: 'operational', at: start },
      ...troubles.flatMap(({ state, from, to }) => [
        { state, at: new Date(from) },
        { state: 'operational' as const, at: new Date(to) },
      ]),
    ];
    return edges.map(({ state, at }, place) => ({
      monitorId,
      state,
      from: at,
      to: edges[place + 1]?.at ?? null,
      decidedAt: at,
    }));
  });
  await db.statusPeriod.createMany({ data: rows });
}

function listTroubles(index: number, now: number): { state: PeriodState; from: number; to: number }[] {
  const count = 2 + ((index * 5) % 9);
  return Array.from({ length: count }, (_, number) => {
    const daysAgo = DAYS - 1 - Math.floor(((number + 0.5) * (DAYS - 2)) / count) - (index % 2);
    const from = now - Math.max(1, daysAgo) * DAY_MS + index * 17 * MINUTE_MS;
    const minutes = 5 + ((index * 31 + number * 13) % 86);
    const state: PeriodState = (index + number) % 3 === 0 ? 'degraded' : 'down';
    return { state, from, to: from + minutes * MINUTE_MS };
  });
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
