import { existsSync } from 'node:fs';
import { Client } from 'pg';
import { type Actor, listChildren, sendSignal } from './actors';
import type { FaultSpan } from './observations';
import { type FaultKind, type FaultPlan, REGIONS } from './plan';
import { insertPoison } from './poison';
import type { World } from './world';

/** How a fault begins. `object` is what it hits; `end` ends it. */
type Inflict = (world: World, fault: FaultPlan) => Promise<{ object: string; end(): unknown }>;

const pickFrom = <T>(all: T[], { pick }: FaultPlan): T => {
  const picked = all[pick % all.length];
  if (picked === undefined) throw new Error('nothing to pick from');
  return picked;
};

/** Ends or stalls one of the processes. */
const hit =
  (group: 'workers' | 'webs', begin: 'kill' | 'stop' | 'stall'): Inflict =>
  async (world, fault) => {
    const actor = pickFrom<Actor>(world[group], fault);
    await actor[begin]();
    return { object: actor.name, end: begin === 'stall' ? actor.resume : actor.start };
  };

/** How long a stall waits for a check that hangs, and how young that is then, in virtual milliseconds. */
const PATIENCE_MS = 60_000;
const YOUNG_MS = 3000;

/** Stalls a worker in the middle of a check, if one hangs soon: its result comes when others have taken the check over. */
const stallWorker: Inflict = async ({ workers, targets, time }, fault) => {
  const worker = pickFrom(workers, fault);
  const isChecking = () =>
    targets.seen.some(
      ({ source, mode, at }) => source === worker.source && mode === 'hang' && at > time.now() - YOUNG_MS,
    );
  const latest = time.now() + PATIENCE_MS;
  while (!isChecking() && time.now() < latest) await time.wait(YOUNG_MS / 10);
  const object = `${worker.name}${isChecking() ? ', in a check' : ''}`;
  await worker.stall();
  return { object, end: worker.resume };
};

/** A region is silent for this many times as long as other faults last, and once more. */
const SILENCE = 4;

const INFLICT: Record<FaultKind, Inflict> = {
  'worker killed': hit('workers', 'kill'),
  'worker stalled': stallWorker,
  'worker terminated': hit('workers', 'stop'),
  'worker without network': async ({ workers, proxy }, fault) => {
    const worker = pickFrom(workers, fault);
    proxy.block(worker.source);
    await worker.cutOff(true);
    return {
      object: worker.name,
      end: async () => {
        await worker.cutOff(false);
        proxy.unblock(worker.source);
      },
    };
  },
  'worker clock jumps': async ({ workers }, fault) => {
    const worker = pickFrom(workers, fault);
    await worker.jump(fault.jumpMs);
    return { object: `${worker.name} by ${Math.round(fault.jumpMs / 1000)} s`, end: () => worker.jump(0) };
  },
  // Long enough for votes to expire. The launcher would replace a worker of the first region.
  'region silent': async ({ workers, time }, fault) => {
    const region = pickFrom(REGIONS.slice(1), fault);
    const all = workers.filter(({ name }) => name.startsWith(region));
    for (const worker of all) await worker.stall();
    await time.wait(SILENCE * fault.durationMs);
    return { object: region, end: () => Promise.all(all.map((worker) => worker.resume())) };
  },
  'web killed': hit('webs', 'kill'),
  'web stalled': hit('webs', 'stall'),
  'launcher killed': async ({ launcher }) => {
    await launcher.kill();
    return { object: launcher.name, end: launcher.start };
  },
  'everything restarted': async ({ workers, webs, launcher }) => {
    const [, ...otherWorkers] = workers;
    const [, ...otherWebs] = webs;
    for (const actor of [launcher, ...otherWorkers, ...otherWebs]) {
      await actor.stop();
      await actor.start();
    }
    return { object: 'one after the other', end: () => undefined };
  },
  'Inngest gone': async ({ inngest }) => {
    inngest.wipe();
    return { object: 'with its data', end: inngest.comeBack };
  },
  'Inngest late and twice': async ({ inngest }) => {
    Object.assign(inngest.trouble, { lateMs: 20_000, copies: 2 });
    return { object: 'by 20 s', end: () => Object.assign(inngest.trouble, { lateMs: 0, copies: 1 }) };
  },
  'resolver dead': async ({ targets }) => {
    targets.setResolverDead(true);
    return { object: targets.resolver, end: () => targets.setResolverDead(false) };
  },
  'poison row': insertPoison,
  'disk full': async ({ disk, database }) => {
    if (disk === null) return { object: 'not tried', end: () => undefined };
    await disk.fill();
    return {
      object: 'of the database',
      end: async () => {
        await disk.free();
        // Without room for its log, PostgreSQL ends.
        if (!isRunning(database.pid())) await restart(database);
      },
    };
  },
  'backend killed': async (world, fault) => {
    const pid = await killBackend(world, fault);
    return { object: `process ${pid}`, end: () => undefined };
  },
  'database killed': async ({ database }) => {
    process.kill(database.pid(), 'SIGKILL');
    return {
      object: 'postmaster',
      end: () => restart(database),
    };
  },
  'database stalled': async ({ database }) => {
    const pids = [database.pid(), ...listChildren(database.pid())];
    const resume = () => sendSignal(pids, 'SIGCONT');
    // A run that is interrupted must not leave a database behind that cannot even end.
    process.prependOnceListener('exit', resume);
    sendSignal(pids, 'SIGSTOP');
    return {
      object: `${pids.length} processes`,
      end: () => {
        process.off('exit', resume);
        resume();
      },
    };
  },
  'connections cut': async ({ proxy }) => {
    proxy.cut();
    return { object: 'all', end: () => undefined };
  },
  'database slow': async ({ proxy }) => {
    proxy.trouble.delayMs = 20;
    return {
      object: '20 ms each way',
      end: () => {
        proxy.trouble.delayMs = 0;
      },
    };
  },
  'commits unacknowledged': async ({ proxy }) => {
    proxy.trouble.losesCommits = true;
    return {
      object: 'all',
      end: () => {
        proxy.trouble.losesCommits = false;
      },
    };
  },
};

/** Inflicts a fault for its duration. Resolves when it is over. */
export async function inflict(world: World, fault: FaultPlan): Promise<FaultSpan> {
  const { time } = world;
  const from = time.now();
  const { object, end } = await INFLICT[fault.kind](world, fault);
  await time.wait(fault.durationMs);
  await end();
  return { kind: fault.kind, object, from, to: time.now() };
}

/** Kills one server process of a client. PostgreSQL then restarts all of them. */
async function killBackend({ database, directUrl }: World, fault: FaultPlan): Promise<number | null> {
  const client = new Client({ connectionString: directUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ pid: number }>(
      "SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid() ORDER BY pid",
    );
    const victim = rows[fault.pick % rows.length];
    if (!victim || victim.pid === database.pid()) return null;
    process.kill(victim.pid, 'SIGKILL');
    return victim.pid;
  } finally {
    // The server ends this connection, too.
    await client.end().catch(() => undefined);
  }
}

async function restart(database: World['database']): Promise<void> {
  await database.stop();
  await database.start();
}

function isRunning(pid: number): boolean {
  return existsSync(`/proc/${pid}`);
}
