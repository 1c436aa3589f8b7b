import { setTimeout as delay } from 'node:timers/promises';
import { StartupError } from '@/lib/core/errors';
import type { Logger } from '@/lib/core/logger';

/**
 * SQLSTATE classes in which PostgreSQL refuses the very values of a statement: data exceptions, violated constraints,
 * exceeded limits. All others (lost connections, shutdown, deadlocks, a full disk, a missing table during an upgrade) say
 * nothing about the values.
 */
const REFUSALS = /^(22|23|54)/;

/** How pg and its pool describe a lost connection; they give these errors no code. */
const CONNECTION_LOST =
  /connection terminated|connection error|not queryable|timeout expired|when trying to connect/i;

const SOCKET_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
]);

/** How long a start waits for its database: for a server that starts beside it, or recovers after a crash. */
const PATIENCE_MS = 60_000;
const RETRY_MS = 250;
const NOTICE_MS = 10_000;

/** PostgreSQL starts, stops or recovers (57P0x), cannot take another connection, or lost one (class 08). */
const TEMPORARY_STATE = /^(57P0[1-3]|53300|08...)$/;
/** What Prisma's adapter makes of errors of a socket. */
const KINDS = new Map([
  ['DatabaseNotReachable', 'the connection is refused'],
  ['ConnectionClosed', 'the connection is closed'],
  ['SocketTimeout', 'there is no response'],
  ['TooManyConnections', 'there are too many connections'],
]);

export type DatabaseWait = {
  /** Whose address is said, never with its password. */
  url: string;
  log: Pick<Logger, 'warn'>;
  patienceMs?: number;
};

/**
 * Does the part of a start that needs the database, once the database responds. While it cannot be reached, the part is
 * retried for a minute, and the log says what is waited for; so `work` must not mind being begun more than once. Throws
 * StartupError when the time is over, and at once whatever has another reason than a database that is unavailable.
 */
export async function waitForDatabase<T>(
  work: () => Promise<T>,
  { url, log, patienceMs = PATIENCE_MS }: DatabaseWait,
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
      if (now >= giveUpAt) throw unreachable(url, `${reason}, for ${Math.round(patienceMs / 1000)} s`, error);
      if (now >= noticeAt) {
        const seconds = Math.ceil((giveUpAt - now) / 1000);
        log.warn(`waiting for the database ${nameDatabase(url)}, at most ${seconds} s more: ${reason}`);
        noticeAt = now + NOTICE_MS;
      }
      await delay(RETRY_MS);
    }
  }
}

/** Why the database could not be reached, in words, whoever wrapped the error; null: the error has another reason. */
export function whyUnavailable(error: unknown): string | null {
  for (let one: unknown = error; typeof one === 'object' && one !== null; one = causeOf(one)) {
    // It says the same in its own words.
    if (one instanceof StartupError) continue;
    const code = String(field(one, 'originalCode') ?? field(one, 'code') ?? '');
    const message = String(field(one, 'originalMessage') ?? field(one, 'message') ?? '');
    if (TEMPORARY_STATE.test(code) || SOCKET_CODES.has(code)) return message || code;
    if (CONNECTION_LOST.test(message)) return message;
    const kind = KINDS.get(String(field(one, 'kind')));
    if (kind !== undefined) return kind;
  }
  return null;
}

/** A database that cannot be reached, and what to do; names host and database of its URL, never the password. */
export function unreachable(url: string, reason: string, cause: unknown): StartupError {
  return new StartupError(
    `DATABASE_URL: cannot connect to the database ${nameDatabase(url)}; check that PostgreSQL runs there and that user and password are right: ${reason}`,
    { cause },
  );
}

function nameDatabase(url: string): string {
  const { host, pathname } = new URL(url);
  return `"${pathname.slice(1)}" at ${host}`;
}

function causeOf(error: object): unknown {
  return field(field(error, 'meta'), 'driverAdapterError') ?? field(error, 'cause');
}

/**
 * Whether a statement failed because of the database rather than because of what was written, so that the same statement
 * can succeed later. False where PostgreSQL refused a value, or our own code threw.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  const state = sqlState(error);
  if (state !== null) return !REFUSALS.test(state);
  if (!(error instanceof Error)) return false;
  if (error.name === 'PrismaClientValidationError') return false;
  if (error.name.startsWith('PrismaClient') || error.name === 'DriverAdapterError') return true;
  return SOCKET_CODES.has(String(field(error, 'code'))) || CONNECTION_LOST.test(error.message);
}

/** The SQLSTATE that PostgreSQL responded with, as Prisma, its adapter or pg pass it on; null: it did not respond. */
function sqlState(error: unknown): string | null {
  const adapterError = field(field(error, 'meta'), 'driverAdapterError') ?? error;
  const codes = [field(field(adapterError, 'cause'), 'originalCode'), field(error, 'code')];
  const state = codes.find(
    (code) => typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && !isPrismaCode(code),
  );
  return typeof state === 'string' ? state : null;
}

function isPrismaCode(code: string): boolean {
  return /^P[1-6]\d{3}$/.test(code);
}

/** A field of an error that somebody else threw, whatever it is. */
function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
