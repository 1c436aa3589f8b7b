import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'pg';
import type { Logger } from '@/lib/core/logger';
import type { Clock } from '@/lib/core/time/clock';
import { watchFreezes } from '@/lib/core/time/freezes';
import { poll } from '@/lib/core/time/poll';
import {
  type DatabaseResponse,
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
export type Health = Pick<HealthMonitor, keyof HealthMonitor>;

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
/** How pg words that it waited for too long, for a connection or a response; every other failure is of a database that cannot be used. */
const TIMEOUT = /timeout/i;
const PATIENCE_MS = 2500;
/** If nothing could be read for this long, workers could not write either: they get time to catch up, as after an outage. */
const HANG_MS = 10_000;
const LOOK_MS = 5000;
/** Other processes of the service may be starting at the same time. */
const FIRST_LOOK_MS = 15_000;

/** Creates the health monitor for the database at `url`. Connects on first use. */
export function createHealth(options: HealthOptions): Health {
  return new HealthMonitor(options);
}

/** What others call are fields, so that they can pass them on one by one. */
class HealthMonitor {
  readonly #options: HealthOptions;
  readonly #pool: Pool;
  readonly #freezes: ReturnType<typeof watchFreezes>;
  readonly #deliveries = createBacklogWatch();
  readonly #mail = createBacklogWatch();
  readonly #known = new Map<string, Part>();
  /** Of the database, at the last look. */
  #lastStatus: PartStatus = 'ok';
  #readableSince: Date | null = null;
  #reading: Promise<DatabaseResponse> | null = null;
  #lastRead: { judged: Judgement[]; at: Date } | null = null;
  #last: { report: Promise<HealthReport>; at: number } | null = null;

  constructor(options: HealthOptions) {
    this.#options = options;
    this.#pool = new Pool({
      connectionString: options.url,
      max: 1,
      application_name: 'pharos health',
      connectionTimeoutMillis: CONNECT_MS,
      query_timeout: CONNECT_MS,
    });
    // The next check reports it.
    this.#pool.on('error', () => undefined);
    this.#freezes = watchFreezes(options.clock, options.wall);
  }

  /** The report, at most a second old, within three seconds even while the database hangs. */
  readonly read = (): Promise<HealthReport> => {
    const { reuseMs = 1000 } = this.#options;
    const now = performance.now();
    if (this.#last === null || now - this.#last.at > reuseMs) this.#last = { report: this.#look(), at: now };
    return this.#last.report;
  };

  /** Checks every five seconds, and logs each failure and recovery once. Returns a function to stop it. */
  readonly watch = (log: Logger, { firstLookMs = FIRST_LOOK_MS, lookMs = LOOK_MS } = {}): (() => void) => {
    const logged = new Map<string, Part>();
    const look = async () => logChanges(log, logged, (await this.read()).parts);
    const onError = (error: unknown) => log.error({ err: error }, 'could not read health');
    return poll(look, { firstMs: firstLookMs, everyMs: lookMs, onError }).stop;
  };

  /** Closes the connection. */
  readonly close = (): Promise<void> => {
    this.#freezes.stop();
    return this.#pool.end();
  };

  async #look(): Promise<HealthReport> {
    const { clock, descriptors = readDescriptors } = this.#options;
    const tooLate = delay<DatabaseResponse>(PATIENCE_MS, 'late', { ref: false });
    const [response, files] = await Promise.all([Promise.race([this.#readOnce(), tooLate]), descriptors()]);
    const now = clock.now();
    const database = judgeDatabase({ response, respondedAt: this.#lastRead?.at ?? null, now });
    this.#lastStatus = database.status;
    const isKnown = database.status !== 'down';
    const judged = isKnown ? (this.#lastRead?.judged ?? []) : [];
    const own = files === null ? [] : [judgeDescriptors(files)];
    const parts = [database, ...judged, ...own].map((part) => remember(this.#known, part, now));
    if (isKnown) {
      for (const name of this.#known.keys())
        if (!parts.some((part) => part.name === name)) this.#known.delete(name);
    }
    return { status: worst(parts), parts };
  }

  /** One read at a time: checks do not pile up while the database hangs. */
  #readOnce(): Promise<DatabaseResponse> {
    this.#reading ??= this.#judge()
      .then((judged): DatabaseResponse => {
        this.#lastRead = { judged, at: this.#options.clock.now() };
        return 'prompt';
      })
      .catch((error: unknown): DatabaseResponse => (TIMEOUT.test(String(error)) ? 'late' : 'failed'))
      .finally(() => {
        this.#reading = null;
      });
    return this.#reading;
  }

  async #judge(): Promise<Judgement[]> {
    const { clock, hasInngest } = this.#options;
    const raw = await readEvidence(this.#pool, clock.now());
    const now = clock.now();
    const sinceRead = this.#lastRead ? now.getTime() - this.#lastRead.at.getTime() : 0;
    const hung = this.#lastStatus === 'degraded' && sinceRead > HANG_MS;
    if (hung || this.#lastStatus === 'down') this.#readableSince = now;
    const evidence = {
      ...raw,
      deliveries: this.#deliveries.look(raw.deliveries, now),
      mail: this.#mail.look(raw.mail, now),
    };
    // Before that, nothing could be recorded, or nobody looked.
    const moments = { now, readableSince: latest(this.#readableSince, this.#freezes.thawedAt()) };
    const parts = judgeHealth(evidence, moments);
    return hasInngest ? [...parts, judgeInngest(raw.workers, now)] : parts;
  }
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
