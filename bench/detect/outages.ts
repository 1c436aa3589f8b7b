import { setTimeout as delay } from 'node:timers/promises';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { createMonitor } from '@/lib/domain/monitors/create-monitor';
import { createWebhook } from '@/lib/domain/webhooks/change-webhook';
import { createMonitorSchema } from '@/lib/schemas/monitor';
import { parseInput } from '@/lib/schemas/validation';
import { createWebhookSchema } from '@/lib/schemas/webhooks/webhook';
import { createRandom, log } from '../playground';
import { type Receiver, startReceiver, startTarget, type Target } from './targets';

/** Monitors that are alike. */
export type Setting = { name: string; confirmInterval: number | null; regions: number };

/** Milliseconds from the moment a target died, or responded again, to the arrival of the webhook; sorted. */
export type Delays = { setting: Setting; down: number[]; up: number[] };

export const INTERVAL_MS = 60_000;
const THRESHOLD = 3;
const READY_WITHIN_MS = 180_000;

type Watched = { id: string; target: Target };

/** Lets the target of each monitor die and respond again, at a random phase of its interval, all in parallel. */
export async function measureOutages(
  ctx: OrganizationContext,
  settings: readonly Setting[],
  { outages, seed, regions }: { outages: number; seed: number; regions: readonly string[] },
): Promise<Delays[]> {
  const receiver = await startReceiver();
  await createWebhook(
    ctx,
    parseInput(createWebhookSchema, { url: receiver.url, events: ['monitor.down', 'monitor.up'] }),
  );
  const groups = await Promise.all(
    settings.map(async (setting, place) => ({
      setting,
      watched: await addMonitors(ctx, setting, { outages, regions, from: place * outages }),
    })),
  );
  log(`${groups.length * outages} monitors; waiting until all are operational`);
  await awaitOperational(ctx, groups.length * outages);

  const draw = createRandom(seed);
  let ended = 0;
  const begun = performance.now();
  const measured = groups.map(async ({ setting, watched }): Promise<Delays> => {
    const delays = await Promise.all(
      watched.map(async (one) => {
        const delays = await measureOne(one, receiver, {
          death: draw() * INTERVAL_MS,
          revival: draw() * INTERVAL_MS,
        });
        ended += 1;
        if (ended % outages === 0)
          log(`${ended} outages after ${Math.round((performance.now() - begun) / 1000)} s`);
        return delays;
      }),
    );
    const sorted = (of: 'down' | 'up') => delays.map((each) => each[of]).toSorted((a, b) => a - b);
    return { setting, down: sorted('down'), up: sorted('up') };
  });
  return Promise.all(measured);
}

/** An outage ends at a random phase after it was announced. */
async function measureOne(
  { id, target }: Watched,
  receiver: Receiver,
  { death, revival }: { death: number; revival: number },
): Promise<{ down: number; up: number }> {
  await delay(death);
  const down = receiver.arrival('monitor.down', id);
  const diedAt = performance.now();
  await target.die();
  const downMs = (await down) - diedAt;
  await delay(revival);
  const up = receiver.arrival('monitor.up', id);
  const revivedAt = performance.now();
  await target.revive();
  return { down: downMs, up: (await up) - revivedAt };
}

async function addMonitors(
  ctx: OrganizationContext,
  { name, confirmInterval, regions }: Setting,
  options: { outages: number; regions: readonly string[]; from: number },
): Promise<Watched[]> {
  const watched: Watched[] = [];
  for (let number = 0; number < options.outages; number += 1) {
    const target = await startTarget(options.from + number);
    const input = {
      name: `${name} ${number}`,
      url: target.url,
      confirmInterval,
      interval: INTERVAL_MS / 1000,
      alertThreshold: THRESHOLD,
      recoveryThreshold: THRESHOLD,
      regions: options.regions.slice(0, regions),
    };
    watched.push({ target, id: (await createMonitor(ctx, parseInput(createMonitorSchema, input))).id });
  }
  return watched;
}

async function awaitOperational({ db }: OrganizationContext, monitors: number): Promise<void> {
  const until = performance.now() + READY_WITHIN_MS;
  for (;;) {
    const operational = await db.monitorState.count({ where: { status: 'operational' } });
    if (operational === monitors) return;
    if (performance.now() > until)
      throw new Error(`only ${operational} of ${monitors} monitors are operational`);
    await delay(500);
  }
}
