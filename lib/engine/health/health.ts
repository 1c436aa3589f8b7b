import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'pg';
import type { Logger } from '@/lib/core/logger';
import type { Clock } from '@/lib/core/time/clock';
import { watchFreezes } from '@/lib/core/time/freezes';
import { poll } from '@/lib/core/time/poll';
import {
  type Judgement,
  judgeDatabase,
  judgeDescriptors,
  judgeHealth,
  judgeInngest,
  type PartStatus,
} from './judge-health';
import { createBacklogWatch, readEvidence } from './read-evidence';

/** One part of the service, and when its current status began. */
export type Part = { name: string; status: PartStatus; since: Date; message: string };

/** The worst status of all parts. Parts read from the database are missing while it is unavailable. */
export type HealthReport = { status: PartStatus; parts: Part[] };

/** Health as this process sees it. */
export type Health = ReturnType<typeof createHealth>;

export type HealthOptions = {
  /** The database. Health uses its own connection, so that it never waits for workers' queries. */
  url: string;
  clock: Clock;
  /** Whether an Inngest server should wake the workers; omits that part otherwise. */
  hasInngest: boolean;
  /** How long a report is reused. */
  reuseMs?: number;
  descriptors?: typeof readDescriptors;
  /** The clock of the machine, which also advances while this process does not run. */
  wall?: Clock;
};

/** Together below the three seconds within which health responds. */
const CONNECT_MS = 2200;
const PATIENCE_MS = 2500;
const LOOK_MS = 5000;
/** Other processes of the service may be starting at the same time. */
const FIRST_LOOK_MS = 15_000;

/** Creates the health monitor for the database at `url`. Connects on first use. */
export function createHealth({
  url,
  clock,
  hasInngest,
  reuseMs = 1000,
  descriptors = readDescriptors,
  wall,
}: HealthOptions) {
  const pool = new Pool({
    connectionString: url,
    max: 1,
    application_name: 'pharos health',
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: CONNECT_MS,
  });
  // The next check reports it.
  pool.on('error', () => undefined);
  const freezes = watchFreezes(clock, wall);
  const deliveries = createBacklogWatch();
  const mail = createBacklogWatch();
  const known = new Map<string, Part>();
  let unreadable = false;
  let readableSince: Date | null = null;
  let reading: Promise<Judgement[] | null> | null = null;
  let last: { report: Promise<HealthReport>; at: number } | null = null;

  const judge = async (): Promise<Judgement[]> => {
    const raw = await readEvidence(pool, clock.now());
    const now = clock.now();
    if (unreadable) readableSince = now;
    const evidence = {
      ...raw,
      deliveries: deliveries.look(raw.deliveries, now),
      mail: mail.look(raw.mail, now),
    };
    // Before that, nothing could be recorded, or nobody looked.
    const moments = { now, readableSince: latest(readableSince, freezes.thawedAt()) };
    const parts = judgeHealth(evidence, moments);
    return hasInngest ? [...parts, judgeInngest(raw.workers, now)] : parts;
  };

  /** One read at a time: checks do not pile up while the database hangs. */
  const judgeOrNull = (): Promise<Judgement[] | null> => {
    reading ??= judge()
      .catch(() => null)
      .finally(() => {
        reading = null;
      });
    return reading;
  };

  const look = async (): Promise<HealthReport> => {
    const tooLate = delay(PATIENCE_MS, null, { ref: false });
    const [judged, files] = await Promise.all([Promise.race([judgeOrNull(), tooLate]), descriptors()]);
    unreadable = judged === null;
    const now = clock.now();
    const own = files === null ? [] : [judgeDescriptors(files)];
    const parts = [judgeDatabase(judged !== null), ...(judged ?? []), ...own].map((part) =>
      remember(known, part, now),
    );
    if (judged !== null) {
      for (const name of known.keys()) if (!parts.some((part) => part.name === name)) known.delete(name);
    }
    return { status: worst(parts), parts };
  };

  const read = (): Promise<HealthReport> => {
    const now = performance.now();
    if (last === null || now - last.at > reuseMs) last = { report: look(), at: now };
    return last.report;
  };

  return {
    /** The report, at most a second old, within three seconds even while the database hangs. */
    read,
    /** Checks every five seconds, and logs each failure and recovery once. Returns a function to stop it. */
    watch: (log: Logger, { firstLookMs = FIRST_LOOK_MS, lookMs = LOOK_MS } = {}): (() => void) => {
      const logged = new Map<string, Part>();
      const look = async () => logChanges(log, logged, (await read()).parts);
      const onError = (error: unknown) => log.error({ err: error }, 'could not read health');
      return poll(look, { firstMs: firstLookMs, everyMs: lookMs, onError }).stop;
    },
    /** Closes the connection. */
    close: (): Promise<void> => {
      freezes.stop();
      return pool.end();
    },
  };
}

function latest(a: Date | null, b: Date | null): Date | null {
  return a === null || (b !== null && b > a) ? b : a;
}

/** Adds when the part's status began: as the evidence shows, or when it was first seen. */
function remember(known: Map<string, Part>, { since, ...part }: Judgement, now: Date): Part {
  const before = known.get(part.name);
  const isSame = before?.status === part.status;
  const remembered = { ...part, since: isSame ? before.since : (since ?? now) };
  known.set(part.name, remembered);
  return remembered;
}

function logChanges(log: Logger, logged: Map<string, Part>, parts: Part[]): void {
  const isWhole = parts.some(({ name, status }) => name === 'database' && status === 'ok');
  const gone = [...logged.values()].filter(
    ({ name }) => isWhole && !parts.some((part) => part.name === name),
  );
  for (const part of [...parts, ...gone.map((before) => ({ ...before, status: 'ok' as const }))]) {
    const before = logged.get(part.name);
    if (part.status === (before?.status ?? 'ok')) continue;
    const { name, status, since, message } = part;
    if (status === 'ok') {
      logged.delete(name);
      log.info({ part: name, since: before?.since }, `health: ${name} has recovered`);
    } else {
      logged.set(name, part);
      const level = status === 'down' ? 'error' : 'warn';
      log[level]({ part: name, since }, `health: ${name} is ${status}: ${message}`);
    }
  }
}

function worst(parts: Part[]): PartStatus {
  const statuses = parts.map(({ status }) => status);
  return (['down', 'degraded'] as const).find((status) => statuses.includes(status)) ?? 'ok';
}

/** Open file descriptors of this process and the soft limit, from /proc; null without it, or without a limit. */
export async function readDescriptors(): Promise<{ open: number; limit: number } | null> {
  try {
    const [open, limits] = await Promise.all([
      readdir('/proc/self/fd'),
      readFile('/proc/self/limits', 'utf8'),
    ]);
    const limit = parseOpenFilesLimit(limits);
    // Listing them opens one itself.
    return limit === null ? null : { open: open.length - 1, limit };
  } catch {
    return null;
  }
}

/** Parses the soft limit of open files from /proc/self/limits; null if unlimited. */
export function parseOpenFilesLimit(limits: string): number | null {
  const soft = limits.match(/^Max open files\s+(\d+)/m)?.[1];
  return soft === undefined ? null : Number(soft);
}
