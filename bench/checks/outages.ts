import { setTimeout as delay } from 'node:timers/promises';
import { createWebhook } from '@/lib/domain/webhooks/change-webhook';
import { createWebhookSchema } from '@/lib/schemas/webhooks/webhook';
import { type Figure, figure, portOf, startScript } from '../playground';
import { measureFloor } from './floor';
import {
  type Durations,
  describePhase,
  measurePhase,
  PATIENCE_INTERVALS,
  type PhaseLimits,
  untilStatus,
} from './phase';
import type { World } from './world';

/** While statuses are decided, and while all stay down, at 833 checks per second. */
const DECIDING: PhaseLimits = { worker: 2, postgres: 0.4, wal: 700 };
const STAYING: PhaseLimits = { worker: 1.5, postgres: 0.2, wal: 300 };

/** Monitors that were all created together. */
export async function measureBirths(world: World, { floorSeconds }: Durations): Promise<Figure[]> {
  const { births, setting } = world;
  const floor = await measureFloor(world, floorSeconds);
  return [
    figure.cpu('floor', floor),
    figure.seconds('every status known', births.seconds, { atMost: setting.interval + 5 }),
    ...describePhase('births', births, floor, DECIDING),
  ];
}

/** All targets fail at once, and then stay down. */
export async function measureOutage(world: World, { seconds, floorSeconds }: Durations): Promise<Figure[]> {
  const { targets, setting, services } = world;
  const floor = await measureFloor(world, floorSeconds);
  const deciding = await measurePhase(world, async () => {
    await targets.request('outage');
    await untilStatus(services.db, 'down', setting);
  });
  const staying = await measurePhase(world, () => world.wait(seconds, 'staying down'));
  return [
    figure.cpu('floor', floor),
    figure.seconds('all down', deciding.seconds, { atMost: 2 * setting.interval + 3 }),
    ...describePhase('deciding', deciding, floor, DECIDING),
    ...describePhase('staying down', staying, floor, STAYING),
  ];
}

/** All targets recover at once. */
export async function measureRecovery(world: World, { floorSeconds }: Durations): Promise<Figure[]> {
  const { targets, setting, services } = world;
  const recovering = await measurePhase(world, async () => {
    await targets.request('recovery');
    await untilStatus(services.db, 'operational', setting);
  });
  // Exchanges that fail are no floor.
  const floor = await measureFloor(world, floorSeconds);
  return [
    figure.cpu('floor', floor),
    figure.seconds('all operational', recovering.seconds, { atMost: setting.interval + 3 }),
    ...describePhase('deciding', recovering, floor, DECIDING),
  ];
}

const FLIPS = 4;

/** Every second target fails and recovers in turn, an interval each. */
export async function measureHalf(world: World, { floorSeconds }: Durations): Promise<Figure[]> {
  const { targets, setting } = world;
  const floor = await measureFloor(world, floorSeconds);
  const flipping = await measurePhase(world, async () => {
    for (let flip = 0; flip < FLIPS; flip++) {
      await targets.request(flip % 2 === 0 ? 'half' : 'recovery');
      await world.wait(setting.interval, `flip ${flip + 1} of ${FLIPS}`);
    }
  });
  return [figure.cpu('floor', floor), ...describePhase('flipping', flipping, floor, DECIDING)];
}

const DELIVERED_WITHIN_SECONDS = 40;
const POLL_MS = 250;
const SETTLE_MS = 3000;

/** All targets fail at once, and one receiver is notified of each. */
export async function measureAnnouncements({ ctx, targets, setting, services }: World): Promise<Figure[]> {
  const { monitors, interval } = setting;
  await untilStatus(services.db, 'operational', setting);
  const receiver = await startScript('webhooks/receiver.mjs', ['responding']);
  const url = `http://127.0.0.1:${portOf(receiver)}/`;
  await createWebhook(ctx, createWebhookSchema.parse({ url, events: ['monitor.down'] }));
  const failedAt = performance.now();
  const secondsSince = () => (performance.now() - failedAt) / 1000;
  await targets.request('outage');
  await untilStatus(services.db, 'down', setting);
  const decided = secondsSince();
  const countArrived = async () => (await receiver.request<{ count: number }>('count')).count;
  while ((await countArrived()) < monitors && secondsSince() < PATIENCE_INTERVALS * interval)
    await delay(POLL_MS);
  const delivered = secondsSince();
  await delay(SETTLE_MS);
  const { arrivals } = await receiver.request<{ arrivals: { id: string }[] }>('take');
  await receiver.stop();
  const deliveries = new Set(arrivals.map(({ id }) => id)).size;
  return [
    figure.seconds('all down', decided, { atMost: 2 * interval + 3 }),
    figure.seconds('all webhooks delivered after that', delivered - decided, {
      atMost: DELIVERED_WITHIN_SECONDS,
    }),
    figure.count('webhooks delivered', deliveries, { atLeast: monitors }),
    figure.count('arrived twice', arrivals.length - deliveries, { atMost: 0 }),
  ];
}
