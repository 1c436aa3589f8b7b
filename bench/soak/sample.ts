import { readdirSync } from 'node:fs';
import { familyOf, proportionalMemory } from '@/bin/testing/proportional-memory';
import { describeError } from '@/lib/core/errors';
import { verbOf } from '../playground';
import type { World } from './world';

/** What a process holds: MB (memory shared by several counts once), and open files, sockets and timers of the system. */
type Held = { megabytes: number; handles: number };

/** What an installation is like at a moment. */
export type Sample = {
  minute: number;
  processes: Record<'launcher' | 'web' | 'worker' | 'database', Held>;
  connections: number;
  partitions: number;
  pending: number;
  down: number;
  /** Webhooks that arrived since the last sample, and among all so far, those that had arrived before. */
  arrived: number;
  twice: number;
  health: string;
  page: string;
};

const REQUEST_MS = 5000;

/** Looks at the processes, the database, and what arrived; requests the page and the health like a visitor. */
export async function takeSample(
  { db, receiver, seen, pids, page, health }: World,
  minute: number,
): Promise<Sample> {
  const [held] = await db.$queryRaw<[Pick<Sample, 'connections' | 'partitions' | 'pending' | 'down'>]>`
    SELECT (SELECT count(*)::int FROM pg_stat_activity
             WHERE datname = current_database() AND application_name LIKE 'pharos w%') AS connections,
           (SELECT count(*)::int FROM pg_inherits) AS partitions,
           (SELECT count(*)::int FROM delivery WHERE status = 'pending') AS pending,
           (SELECT count(*)::int FROM monitor_state WHERE status = 'down') AS down`;
  const { arrivals } = await receiver.request<{ arrivals: { id: string }[] }>('take');
  const before = seen.size;
  for (const { id } of arrivals) seen.add(id);
  return {
    minute,
    processes: lookAt(pids),
    ...held,
    arrived: arrivals.length,
    twice: arrivals.length - (seen.size - before),
    health: await request(health, async (response) => {
      const { status = 'none' } = (await response.json()) as { status?: string };
      return status;
    }),
    page: await request(page, async (response) => {
      await response.arrayBuffer();
      return String(response.status);
    }),
  };
}

/** What a visitor sees; a request that fails is one of the findings. */
async function request(url: string, read: (response: Response) => Promise<string>): Promise<string> {
  return fetch(url, { signal: AbortSignal.timeout(REQUEST_MS) })
    .then(read)
    .catch((error: unknown) => describeError(error));
}

function lookAt({ launcher, database }: World['pids']): Sample['processes'] {
  const named = (verb: string) => familyOf(launcher).filter((pid) => verbOf(pid) === verb);
  return {
    launcher: hold([launcher]),
    web: hold(named('web')),
    worker: hold(named('worker')),
    database: hold(familyOf(database)),
  };
}

function hold(pids: readonly number[]): Held {
  return { megabytes: proportionalMemory(pids), handles: pids.reduce((sum, pid) => sum + handlesOf(pid), 0) };
}

/** 0 for a process that has just ended. */
function handlesOf(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    return 0;
  }
}
