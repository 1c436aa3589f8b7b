import { readFileSync } from 'node:fs';
import { Client } from 'pg';
import type { FaultKind, FaultPlan } from './plan';
import type { World } from './world';

/** A fault that happened, in virtual milliseconds since the epoch: `from` when it began, `to` when it was over. */
export type FaultSpan = { kind: FaultKind; object: string; from: number; to: number };

/** How a fault begins. `object` is what it hits; `end` ends it. */
type Inflict = (world: World, fault: FaultPlan) => Promise<{ object: string; end(): unknown }>;

const pickFrom = <T>(all: T[], { pick }: FaultPlan): T => {
  const picked = all[pick % all.length];
  if (picked === undefined) throw new Error('nothing to pick from');
  return picked;
};

const INFLICT: Record<FaultKind, Inflict> = {
  'worker killed': async ({ workers }, fault) => {
    const worker = pickFrom(workers, fault);
    await worker.kill();
    return { object: worker.name, end: worker.start };
  },
  'worker stalled': async ({ workers }, fault) => {
    const worker = pickFrom(workers, fault);
    worker.stall();
    return { object: worker.name, end: worker.resume };
  },
  'worker without network': async ({ workers, proxy, targets }, fault) => {
    const worker = pickFrom(workers, fault);
    proxy.block(worker.source);
    targets.blocked.add(worker.source);
    return {
      object: worker.name,
      end: () => {
        targets.blocked.delete(worker.source);
        proxy.unblock(worker.source);
      },
    };
  },
  'worker clock jumps': async ({ workers }, fault) => {
    const worker = pickFrom(workers, fault);
    await worker.jump(fault.jumpMs);
    return { object: `${worker.name} by ${Math.round(fault.jumpMs / 1000)} s`, end: () => worker.jump(0) };
  },
  'workers restarted': async ({ workers }) => {
    for (const worker of workers) {
      await worker.stop();
      await worker.start();
    }
    return { object: 'all workers, one after the other', end: () => undefined };
  },
  'web killed': async ({ webs }, fault) => {
    const web = pickFrom(webs, fault);
    await web.kill();
    return { object: web.name, end: web.start };
  },
  'web stalled': async ({ webs }, fault) => {
    const web = pickFrom(webs, fault);
    web.stall();
    return { object: web.name, end: web.resume };
  },
  'backend killed': async (world, fault) => {
    const pid = await killBackend(world, fault);
    return { object: `process ${pid}`, end: () => undefined };
  },
  'database killed': async ({ database }) => {
    process.kill(database.pid(), 'SIGKILL');
    return {
      object: 'postmaster',
      end: async () => {
        await database.stop();
        await database.start();
      },
    };
  },
  'database stalled': async ({ database }) => {
    const pids = listProcesses(database.pid());
    signal(pids, 'SIGSTOP');
    return { object: `${pids.length} processes`, end: () => signal(pids, 'SIGCONT') };
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

/** A process and its children. */
function listProcesses(parent: number): number[] {
  const children = readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8').trim();
  return [parent, ...(children === '' ? [] : children.split(' ').map(Number))];
}

function signal(pids: number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch (error) {
      // It ended in the meantime.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}
