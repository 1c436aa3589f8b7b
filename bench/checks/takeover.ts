import { type Figure, figure, log, readSlots, type Slot } from '../playground';
import type { World } from './world';

/** Time for a second worker to start, and to get its share. */
const BALANCE_SECONDS = 12;
const WINDOW_SECONDS = 20;
/** A check in flight when its worker ended was due this long ago at most. */
const IN_FLIGHT_MS = 2000;
const LATE_MS = 1000;
const SETTLE_SECONDS = 3;

/** Replaces the worker twice, by one that waits: it is stopped first, and its successor is killed. */
export async function measureTakeover(world: World): Promise<Figure[]> {
  const stopped = await replaceWorker(world, 'stop');
  const killed = await replaceWorker(world, 'kill');
  return [
    figure.seconds('SIGTERM: until no check is late', stopped.seconds, { atMost: 1 }),
    figure.count('SIGTERM: slots lost', stopped.lost, { atMost: 0 }),
    figure.count('SIGTERM: slots recorded twice', stopped.doubled, { atMost: 0 }),
    figure.seconds('SIGKILL: until no check is late', killed.seconds, { atMost: 5 }),
    figure.count('SIGKILL: slots lost', killed.lost),
    figure.count('SIGKILL: slots recorded twice', killed.doubled, { atMost: 0 }),
  ];
}

async function replaceWorker(world: World, how: 'stop' | 'kill') {
  const { services, workers, startWorker, ports, setting } = world;
  const { db, clock } = services;
  log('starting a second worker');
  workers.push(await startWorker());
  await world.wait(BALANCE_SECONDS, 'two workers');
  const at = clock.now().getTime();
  // Its end is not awaited: SIGTERM lets it finish.
  const ended = workers.shift()?.[how]();
  await world.wait(
    Math.min(WINDOW_SECONDS, setting.interval),
    `after ${how === 'stop' ? 'SIGTERM' : 'SIGKILL'}`,
  );
  const until = clock.now();
  await ended;
  await world.wait(SETTLE_SECONDS, 'waiting for results');
  const slots = await readSlots(db, new Date(at - IN_FLIGHT_MS), until);
  // A hanging check takes longer than the window.
  return judge(
    slots.filter(({ url }) => !url.includes(`:${ports.hanging}/`)),
    at,
  );
}

/** Seconds from `at` until the last check that was late or never came, and how many never came. */
function judge(slots: Slot[], at: number) {
  let lastLateAt = at;
  let lost = 0;
  let doubled = 0;
  for (const { dueAt, checkedAt } of slots) {
    const [first] = checkedAt;
    if (checkedAt.length > 1) doubled += 1;
    if (first === undefined) lost += 1;
    if (first === undefined || first - dueAt > LATE_MS) lastLateAt = Math.max(lastLateAt, first ?? dueAt);
  }
  return { seconds: (lastLateAt - at) / 1000, lost, doubled };
}
