import { setTimeout as delay } from 'node:timers/promises';
import { createMonitor } from '@/lib/domain/monitors/create-monitor';
import { updateMonitor } from '@/lib/domain/monitors/update-monitor';
import { createWebhook } from '@/lib/domain/webhooks/change-webhook';
import { createMonitorSchema } from '@/lib/schemas/monitor';
import { createWebhookSchema } from '@/lib/schemas/webhooks/webhook';
import { type Figure, figure, formatPercentiles, log, percentiles, portOf, startScript } from '../playground';
import { REGION } from '../seed';
import type { World } from './world';

const CHANGES = 20;
const POLL_MS = 10;
const PATIENCE_MS = 30_000;
const CHANGED_STATUS = 204;

/** Changes targets, one after the other: how long from the call until the first result of the new target is stored. */
export async function measureChanges({ services, ctx, ports, urlOf, setting }: World): Promise<Figure[]> {
  const urls = Array.from({ length: setting.monitors }, (_, number) => urlOf(number));
  const open = urls.filter((url) => !url.includes(`:${ports.hanging}/`)).slice(0, CHANGES);
  const monitors = await services.db.monitor.findMany({ where: { url: { in: open } } });
  log(`changing ${monitors.length} monitors`);
  const times: number[] = [];
  let stale = 0;
  for (const [index, { id, number }] of monitors.entries()) {
    const url = `http://127.0.0.1:${ports.http[0]}/changed/${index}`;
    const calledAt = performance.now();
    await updateMonitor(ctx, id, { url, expectedStatusCode: CHANGED_STATUS });
    const committedAt = services.clock.now();
    const isInForce = async () => (await countResults(services, number, CHANGED_STATUS, committedAt)) > 0;
    while (!(await isInForce()) && performance.now() - calledAt < PATIENCE_MS) await delay(POLL_MS);
    times.push(performance.now() - calledAt);
    stale += await countResults(services, number, 200, committedAt);
  }
  const { p50, max } = percentiles(times);
  return [
    figure.ms('a change is in force, median', p50),
    figure.ms('a change is in force, maximum', max, { atMost: 1000 }),
    figure.count('results of the previous target that began later', stale, { atMost: 0 }),
  ];
}

/** Results of a monitor with a status code, of checks that began after `since`. A restarted check may precede its commit. */
async function countResults(
  { db }: World['services'],
  monitor: number,
  status: number,
  since: Date,
): Promise<number> {
  const begin = status === CHANGED_STATUS ? new Date(0) : since;
  const rows = await db.$queryRaw<{ results: number }[]>`
    SELECT count(*)::int AS results FROM raw.check_result
     WHERE monitor = ${monitor} AND status_code = ${status} AND checked_at > ${begin}`;
  return rows[0]?.results ?? 0;
}

const ALERTS = 200;
const ALERT_INTERVAL = 30;

/** Lets the target of new monitors fail: how long from each failed response until its webhook arrives. */
export async function measureAlerts({ services, ctx, ports, targets, wait }: World): Promise<Figure[]> {
  const receiver = await startScript('webhooks/receiver.mjs', ['responding']);
  const url = `http://127.0.0.1:${portOf(receiver)}/`;
  await createWebhook(ctx, createWebhookSchema.parse({ url, events: ['monitor.down'] }));
  log(`creating ${ALERTS} monitors`);
  const ids: string[] = [];
  for (let number = 0; number < ALERTS; number++) {
    const target = { name: `/alert/${number}`, url: `http://127.0.0.1:${ports.http[0]}/alert/${number}` };
    const input = { ...target, interval: ALERT_INTERVAL, alertThreshold: 1, regions: [REGION] };
    ids.push((await createMonitor(ctx, createMonitorSchema.parse(input))).id);
  }
  const areOperational = async () => {
    const where = { monitorId: { in: ids }, status: 'operational' as const };
    return (await services.db.monitorState.count({ where })) === ALERTS;
  };
  const startedAt = performance.now();
  while (!(await areOperational()) && performance.now() - startedAt < PATIENCE_MS) await delay(100);
  await targets.request('fail');
  // A new monitor's second check is up to one and a half intervals after its first.
  await wait(1.5 * ALERT_INTERVAL + 5, 'the target fails');

  const failedAt = await targets.request<Record<string, number>>('failures');
  const { arrivals } = await receiver.request<{ arrivals: { at: number; body: string }[] }>('take');
  await receiver.stop();
  const delays = arrivals.flatMap(({ at, body }) => {
    const { monitor } = JSON.parse(body) as { monitor: { name: string } };
    const failed = failedAt[monitor.name];
    return failed === undefined ? [] : [at - failed];
  });
  const found = percentiles(delays);
  return [
    {
      name: 'failed response to webhook p50 / p95 / p99 / max',
      value: found.p99,
      atMost: 300,
      text: formatPercentiles(found),
    },
    figure.count(`webhooks of ${ALERTS}`, delays.length, { atLeast: ALERTS, atMost: ALERTS }),
  ];
}
