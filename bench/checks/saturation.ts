import { monitorDefaults } from '@/lib/schemas/monitor/fields';
import { type Figure, figure, measureLateness, startCpuMeter } from '../playground';
import type { World } from './world';

/** Each asks for more checks, by a share of the interval of the setting. */
const SHARES = [1, 0.48, 0.32, 0.24, 0.2];
/** If already the first is too much. */
const EASY_SHARE = 2;
/** A worker that records less than this share of what is offered is saturated. */
const SATURATED_BELOW = 0.95;
/** What became due while the worker read all monitors again must have been caught up with. */
const WARM_UP_SECONDS = 20;
const SUSTAINED_BELOW_MS = 1000;
const SETTLE_SECONDS = 3;

type Level = Awaited<ReturnType<typeof measureLevel>>;

/** Offers more and more checks until the worker records less, and then twice its peak. */
export async function measureSaturation(world: World, seconds: number): Promise<Figure[]> {
  const { monitors, interval: longest } = world.setting;
  const levels: Level[] = [];
  await lengthenVotes(world);
  for (const share of SHARES) {
    const interval = Math.max(1, Math.round(longest * share));
    const level = await measureLevel(world, { interval, monitors }, seconds);
    levels.push(level);
    if (level.recorded < level.offered * SATURATED_BELOW) break;
  }
  if (levels.length === 1) {
    levels.unshift(await measureLevel(world, { interval: longest * EASY_SHARE, monitors }, seconds));
  }
  const peak = levels.reduce((best, level) => (level.recorded > best.recorded ? level : best));
  const sustained = Math.max(
    ...levels.filter(({ p99 }) => p99 < SUSTAINED_BELOW_MS).map(({ recorded }) => recorded),
  );
  // An interval is a whole number of seconds, so the number of monitors must follow it.
  const interval = Math.max(1, Math.floor(monitors / (2 * peak.recorded)));
  const needed = Math.min(monitors, Math.round(2 * peak.recorded * interval));
  const twice = await measureLevel(world, { interval, monitors: needed }, seconds);
  return [
    ...[...levels, twice].map(describeLevel),
    figure.count('checks recorded per second with a lateness p99 below 1 s', sustained, { atLeast: 4000 }),
    figure.count('peak, checks recorded per second', peak.recorded),
    figure.ratio(
      `share of the peak recorded at ${(twice.offered / peak.recorded).toFixed(1)} × the peak`,
      twice.recorded / peak.recorded,
      { atLeast: 0.9 },
    ),
    figure.count(
      'slots recorded twice',
      [...levels, twice].reduce((sum, { doubled }) => sum + doubled, 0),
      { atMost: 0 },
    ),
  ];
}

/**
 * Gives targets that respond the default timeout: a vote counts for three intervals or timeouts, whichever is longer. With these
 * intervals of a few seconds it would expire while the worker reads its monitors again after a change of all of them, and with the
 * intervals that the API accepts it does not.
 */
async function lengthenVotes({ services, ports }: World): Promise<void> {
  await services.db.$executeRaw`
    UPDATE monitor SET timeout = ${monitorDefaults.timeout} WHERE url NOT LIKE ${`%:${ports.hanging}/%`}`;
}

/** Gives so many monitors another interval, as when more and more are added, and measures what the worker records. */
async function measureLevel(
  world: World,
  { interval, monitors }: { interval: number; monitors: number },
  seconds: number,
) {
  const { services } = world;
  const { db, clock } = services;
  const offered = monitors / interval;
  const what = `${Math.round(offered)} checks/s offered`;
  await db.$executeRaw`
    UPDATE monitor SET interval = ${interval}, enabled = place <= ${monitors}
      FROM (SELECT id, row_number() OVER (ORDER BY id) AS place FROM monitor) AS places WHERE monitor.id = places.id`;
  // What the server does about the change later is not part of the checks.
  await db.$executeRaw`VACUUM (ANALYZE)`;
  await world.wait(Math.max(WARM_UP_SECONDS, 2 * interval), `${what}, warm-up`);
  const before = await countResults(db);
  const from = clock.now();
  const meter = startCpuMeter(world.pids());
  await world.wait(seconds, what);
  const cpu = meter();
  const until = clock.now();
  const recorded = ((await countResults(db)) - before) / seconds;
  await world.wait(SETTLE_SECONDS, 'waiting for results');
  const { p50, p99, doubled, missed, slots } = await measureLateness(db, from, until);
  const cores = { worker: cpu.pharos / seconds / 1000, postgres: cpu.postgres / seconds / 1000 };
  return { offered, recorded, p50, p99, doubled, skipped: missed / Math.max(1, slots), cores };
}

function describeLevel(level: Level): Figure {
  const { offered, recorded, p50, p99, skipped, cores } = level;
  const parts = [
    `${Math.round(recorded)}/s recorded`,
    `${Math.round(100 * skipped)} % of the slots skipped`,
    `lateness p50 ${Math.round(p50)} ms, p99 ${Math.round(p99)} ms`,
    `${cores.worker.toFixed(2)} + ${cores.postgres.toFixed(2)} cores`,
  ];
  return {
    name: `${Math.round(offered)} checks per second offered`,
    value: recorded,
    text: parts.join(', '),
  };
}

async function countResults(db: World['services']['db']): Promise<number> {
  const rows = await db.$queryRaw<{ results: number }[]>`
    SELECT count(*)::float8 AS results FROM raw.check_result`;
  return rows[0]?.results ?? 0;
}
