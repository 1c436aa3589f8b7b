import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Figure, figure, type Percentiles, percentiles } from '../playground';
import { type Durations, measurePhase } from './phase';
import type { World } from './world';

const QUOTAS = [0.5, 0.25];
const PERIOD_US = 100_000;
/** Of what the processor time that is left allows, by what a check costs without a quota. */
const LEAST_SHARE = 0.9;
/** Milliseconds, one interval after the quota was lifted. */
const MAX_LATENESS_AFTER_MS = 100;
/** In the median: what the worker waits for itself must hardly look like a slow target. */
const MAX_RESPONSE_MS = 100;

/** A worker that gets less of the processor than its checks need, as in a container with a quota, and then all of it again. */
export async function measureQuotas(world: World, { seconds }: Durations): Promise<Figure[]> {
  const calm = await measurePhase(world, () => world.wait(seconds, 'without a quota'));
  const figures = [figure.cpu('without a quota: worker', calm.worker)];
  for (const cores of QUOTAS)
    figures.push(...(await measureQuota(world, { cores, seconds, calm: calm.worker })));
  return figures;
}

/** `calm`: CPU milliseconds of a check without a quota. */
async function measureQuota(
  world: World,
  { cores, seconds, calm }: { cores: number; seconds: number; calm: number },
): Promise<Figure[]> {
  const { setting, wait, pids } = world;
  const leases = await readLeases(world);
  const from = world.services.clock.now();
  const limit = limitProcess(pids().pharos, cores);
  const limited = await measurePhase(world, () => wait(seconds, `with ${cores} cores`)).finally(limit.lift);
  const responses = await readResponses(world, from);
  await wait(setting.interval, 'after the quota');
  const after = await measurePhase(world, () => wait(setting.interval, 'after the quota, measured'));
  const name = (what: string) => `${cores} cores: ${what}`;
  const perSecond = limited.checks / limited.seconds;
  const allowed = Math.min(setting.monitors / setting.interval, (cores * 1000) / calm);
  return [
    figure.ratio(name('checks per second'), perSecond),
    figure.ratio(name('share of what the quota allows'), perSecond / allowed, { atLeast: LEAST_SHARE }),
    figure.percentiles(name('response'), responses, { of: 'p50', atMost: MAX_RESPONSE_MS }),
    figure.count(name('failed checks'), limited.failed + after.failed, { atMost: 0 }),
    figure.count(name('monitors with another status'), await countOthers(world), { atMost: 0 }),
    figure.count(name('leases that changed hands'), (await readLeases(world)) - leases, { atMost: 0 }),
    figure.percentiles(name('lateness'), limited.lateness),
    figure.percentiles(name('one interval after: lateness'), after.lateness, {
      atMost: MAX_LATENESS_AFTER_MS,
    }),
  ];
}

/** Response times of the checks that began since `from`: of targets that respond at once. */
async function readResponses({ services: { db } }: World, from: Date): Promise<Percentiles> {
  const rows = await db.$queryRaw<{ ms: number }[]>`
    SELECT response_time AS ms FROM raw.check_result WHERE checked_at >= ${from} AND response_time IS NOT NULL`;
  return percentiles(rows.map(({ ms }) => ms));
}

/** The sum of the epochs of all leases, which count their owners. */
async function readLeases({ services: { db } }: World): Promise<number> {
  const [row] = await db.$queryRaw<[{ sum: number }]>`SELECT sum(epoch)::int AS sum FROM raw.shard_lease`;
  return row.sum;
}

async function countOthers({ services: { db } }: World): Promise<number> {
  const [row] = await db.$queryRaw<[{ count: number }]>`
    SELECT count(*)::int AS count FROM monitor_state WHERE status <> 'operational'`;
  return row.count;
}

/** Where control groups for processors are, in version 1 and in version 2. */
const [FIRST, SECOND] = ['/sys/fs/cgroup/cpu', '/sys/fs/cgroup'];

/** Moves a process to a control group with so many cores; `lift` moves it back. Throws without the right to create groups, which root has. */
function limitProcess(pid: number, cores: number): { lift: () => void } {
  const isFirst = existsSync(FIRST);
  const base = isFirst ? FIRST : SECOND;
  const former = join(base, groupOf(pid, isFirst));
  const group = join(base, `pharos-bench-${pid}`);
  const move = (to: string) => writeFileSync(join(to, 'cgroup.procs'), String(pid));
  mkdirSync(group);
  try {
    const quota = String(Math.round(cores * PERIOD_US));
    if (isFirst) {
      writeFileSync(join(group, 'cpu.cfs_period_us'), String(PERIOD_US));
      writeFileSync(join(group, 'cpu.cfs_quota_us'), quota);
    } else {
      writeFileSync(join(group, 'cpu.max'), `${quota} ${PERIOD_US}`);
    }
    move(group);
  } catch (error) {
    rmdirSync(group);
    throw error;
  }
  return {
    lift: () => {
      move(former);
      rmdirSync(group);
    },
  };
}

/** The path of a process below the groups for processors: a line is `number:controllers:path`. */
function groupOf(pid: number, isFirst: boolean): string {
  const lines = readFileSync(`/proc/${pid}/cgroup`, 'utf8').trim().split('\n');
  const own = lines
    .map((line) => line.split(':'))
    .find(([number, controllers = '']) =>
      isFirst ? controllers.split(',').includes('cpu') : number === '0',
    );
  return own?.[2] ?? '/';
}
