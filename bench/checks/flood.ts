import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { type Figure, figure, type Lateness, measureLateness } from '../playground';
import { addMonitors, addOrganization } from '../seed';
import { type Durations, SETTLE_SECONDS } from './phase';
import type { World } from './world';

/** Far more than a worker runs, with an interval that the API rejects. */
const FLOOD = { monitors: 10_000, interval: 2, timeout: 5, enabled: false };
const LOOPS_PER_CORE = 2;
const BUSY_LOOP = 'for (;;);';

/** Milliseconds, of the organization that adds nothing. */
const MAX_LATENESS_MS = 1000;
const MAX_LATENESS_AFTER_MS = 100;

/**
 * One organization has a few monitors; another one enables 10,000 at once, all overdue, which want several times what the worker can run. Then
 * something else wants the processors, too. What the first one notices of that.
 */
export async function measureFlood(world: World, { seconds }: Durations): Promise<Figure[]> {
  const { services, setting, urlOf, wait } = world;
  const flooding = await addOrganization(services, 'flood');
  const quiet = watchOrganization(world, world.ctx.organizationId);
  const flood = watchOrganization(world, flooding.organizationId);
  await addMonitors(services, flooding.organizationId, FLOOD, urlOf);
  const enable = (enabled: boolean) =>
    services.db
      .$executeRaw`UPDATE monitor SET enabled = ${enabled} WHERE organization_id = ${flooding.organizationId}`;
  const created = await quiet(async () => {
    await enable(true);
    await wait(seconds, 'enabled');
  });
  const steady = await flood(() => wait(seconds, 'flooded'));
  const busy = await quiet(() => withBusyLoops(() => wait(seconds, 'flooded, with busy loops')));
  await enable(false);
  await wait(setting.interval, 'after the flood');
  const after = await quiet(() => wait(seconds, 'after the flood, measured'));
  return [
    ...describeLateness('while 10,000 are enabled', created, MAX_LATENESS_MS),
    ...describeLateness('flooded, with busy loops', busy, MAX_LATENESS_MS),
    ...describeLateness('one interval after', after, MAX_LATENESS_AFTER_MS),
    figure.count('flood: checks recorded per second', steady.results / seconds),
    figure.count('flood: slots skipped', steady.missed),
  ];
}

/** Measures the lateness of an organization while something runs. */
function watchOrganization({ services: { db, clock }, wait }: World, organizationId: string) {
  return async (run: () => Promise<void>): Promise<Lateness> => {
    const from = clock.now();
    await run();
    const until = clock.now();
    await wait(SETTLE_SECONDS, 'waiting for results');
    await clock.measure();
    return measureLateness(db, from, until, organizationId);
  };
}

/** Two loops per core compete with all that runs; they end with `run`, and with this process. */
async function withBusyLoops(run: () => Promise<void>): Promise<void> {
  const loops = Array.from({ length: LOOPS_PER_CORE * availableParallelism() }, () =>
    spawn(process.execPath, ['-e', BUSY_LOOP], { stdio: 'ignore' }),
  );
  const end = () => {
    for (const loop of loops) loop.kill('SIGKILL');
  };
  process.once('exit', end);
  try {
    await run();
  } finally {
    end();
    process.off('exit', end);
  }
}

function describeLateness(when: string, lateness: Lateness, atMost: number): Figure[] {
  const name = `${when}: the other organization's`;
  return [
    figure.percentiles(`${name} lateness`, lateness, { atMost }),
    figure.count(`${name} slots skipped`, lateness.missed, { atMost: 0 }),
  ];
}
