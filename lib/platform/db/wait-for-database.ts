import { setTimeout as delay } from 'node:timers/promises';
import { StartupError } from '@/lib/core/errors';
import type { Logger } from '@/lib/core/logger';
import { formatTiming } from '@/lib/core/time/duration';
import { reportLockWaits } from './locks/lock-waits';

/**
 * SQLSTATE classes in which PostgreSQL rejects the values of a statement: data exceptions, violated
 * constraints, exceeded limits. All others (lost connections, shutdown, deadlocks, a full disk, a missing
 * table during an upgrade) are not about the values.
 */
const REFUSALS = /^(22|23|54)/;

/** How pg and its pool word lost connections; these errors have no code. */
const CONNECTION_LOST =
  /connection terminated|connection error|not queryable|timeout expired|when trying to connect/i;

const SOCKET_CODE = /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH)$/;
/** How long a start waits for its database, which may be starting too, or recovering from a crash. */
const PATIENCE_MS = 60_000;
const RETRY_MS = 250;
const NOTICE_MS = 10_000;

/** PostgreSQL is starting, stopping or recovering (57P0x), has no free connection, or lost one (class 08). */
const TEMPORARY_STATE = /^(57P0[1-3]|53300|08...)$/;
/** How Prisma's adapter reports socket errors. */
const KINDS = new Map([
  ['DatabaseNotReachable', 'connection refused'],
  ['ConnectionClosed', 'connection closed'],
  ['SocketTimeout', 'no response'],
  ['TooManyConnections', 'too many connections'],
]);

export type DatabaseWait = {
  /** Shown in messages, never with its password. */
  url: string;
  log: Pick<Logger, 'warn'>;
  patienceMs?: number;
};

/**
 * Runs the part of a start that needs the database, once the database responds. Retries for a minute while it
 * cannot be reached, and logs what it is waiting for, locks included; so `work` must be repeatable. Throws StartupError after
 * that, and rethrows other errors immediately.
 */
export async function waitForDatabase<T>(
  work: () => Promise<T>,
  { url, log, patienceMs = PATIENCE_MS }: DatabaseWait,
): Promise<T> {
  const stopNotices = reportLockWaits(url, (line) => log.warn(line));
  try {
    return await untilReachable(work, { url, log, patienceMs });
  } finally {
    await stopNotices();
  }
}

async function untilReachable<T>(
  work: () => Promise<T>,
  { url, log, patienceMs }: Required<DatabaseWait>,
): Promise<T> {
  const giveUpAt = performance.now() + patienceMs;
  let noticeAt = performance.now();
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const reason = whyUnavailable(error);
      if (reason === null) throw error;
      const now = performance.now();
      if (now >= giveUpAt) throw unreachable(url, `${reason}, for ${formatTiming(patienceMs)}`, error);
      if (now >= noticeAt) {
        const seconds = Math.ceil((giveUpAt - now) / 1000);
        log.warn(
          `waiting for the database ${formatDatabase(url)} for up to ${formatTiming(seconds * 1000)}: ${reason}`,
        );
        noticeAt = now + NOTICE_MS;
      }
      await delay(RETRY_MS);
    }
  }
}

/** Why the database could not be reached, whatever wraps the error; null if the error has another cause. */
export function whyUnavailable(error: unknown): string | null {
  for (let one: unknown = error; typeof one === 'object' && one !== null; one = causeOf(one)) {
    // Its causes are more specific.
    if (one instanceof StartupError) continue;
    const code = String(field(one, 'originalCode') ?? field(one, 'code') ?? '');
    const message = String(field(one, 'originalMessage') ?? field(one, 'message') ?? '');
    if (TEMPORARY_STATE.test(code) || SOCKET_CODE.test(code)) return message || code;
    if (CONNECTION_LOST.test(message)) return message;
    const kind = KINDS.get(String(field(one, 'kind')));
    if (kind !== undefined) return kind;
  }
  return null;
}

/** The error for an unreachable database, with what to do; names host and database, never the password. */
export function unreachable(url: string, reason: string, cause: unknown): StartupError {
  return new StartupError(
    `DATABASE_URL: cannot connect to the database ${formatDatabase(url)}: ${reason}. Check that PostgreSQL is running there and that user and password are correct`,
    { cause },
  );
}

function formatDatabase(url: string): string {
  const { host, pathname } = new URL(url);
  return `"${pathname.slice(1)}" at ${host}`;
}

function causeOf(error: object): unknown {
  return field(field(error, 'meta'), 'driverAdapterError') ?? field(error, 'cause');
}

/**
 * Whether a statement failed because of the database rather than its values, so that the same statement can
 * succeed later. False if PostgreSQL rejected a value, or our own code threw.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  const state = sqlState(error);
  if (state !== null) return !REFUSALS.test(state);
  if (!(error instanceof Error)) return false;
  if (error.name === 'PrismaClientValidationError') return false;
  if (error.name.startsWith('PrismaClient') || error.name === 'DriverAdapterError') return true;
  return SOCKET_CODE.test(String(field(error, 'code'))) || CONNECTION_LOST.test(error.message);
}

/** Not a code of Prisma, such as P2002. */
const SQLSTATE = /^(?!P[1-6]\d{3})[0-9A-Z]{5}$/;

/** The SQLSTATE of PostgreSQL's response, as passed on by Prisma, its adapter or pg; null without a response. */
function sqlState(error: unknown): string | null {
  const adapterError = field(field(error, 'meta'), 'driverAdapterError') ?? error;
  const codes = [field(field(adapterError, 'cause'), 'originalCode'), field(error, 'code')];
  return codes.filter((code) => typeof code === 'string').find((code) => SQLSTATE.test(code)) ?? null;
}

/** Reads a field of an error of unknown type. */
function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
