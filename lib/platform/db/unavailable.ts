import { StartupError } from '@/lib/core/errors';

/**
 * SQLSTATE classes in which PostgreSQL rejects the values of a statement: data exceptions, violated
 * constraints, exceeded limits. All others (lost connections, shutdown, deadlocks, a full disk, a missing
 * table during an upgrade) are not about the values.
 */
const REFUSALS = /^(22|23|54)/;

/** How pg and its pool word lost connections; these errors have no code. */
const CONNECTION_LOST =
  /connection terminated|connection error|not queryable|timeout expired|when trying to connect/i;

const PROTOCOL_VIOLATION = '08P01';
const SOCKET_CODE = /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH)$/;
/**
 * PostgreSQL is starting, stopping or recovering (57P0x), has no free connection, or lost one (class 08). Not 08P01, a violation of the
 * protocol: poolers refuse with it what they do not support, which stays as it is.
 */
const TEMPORARY_STATE = /^(57P0[1-3]|53300|08(?!P01)...)$/;
/** How PgBouncer words, also as 08P01, that PostgreSQL is unavailable or that its own connections are in use. */
const POOLER_WAITS =
  /server (conn|login has been failing|down|lifetime|idle)|_timeout|(query|connect|transaction) timeout|no more connections|cannot connect|shutting down/i;
/**
 * PostgreSQL ended a transaction that may succeed later: it was idle or took too long (25P03, 25P04, 57014, 57P05), lost to another one (class
 * 40; P2034 of Prisma) or waited for its lock for too long (55P03), or a resource was exhausted (class 53).
 */
const ENDED_STATE = /^(25P0[34]|40...|53...|55P03|57014|57P05|P2034)$/;
/** How Prisma words its own timeouts. Their code, P2028, is also that of our mistakes. */
const PRISMA_TIMEOUT = /unable to start a transaction|on an expired transaction/i;
/** How Prisma's adapter reports socket errors. */
const KINDS = new Map([
  ['DatabaseNotReachable', 'connection refused'],
  ['ConnectionClosed', 'connection closed'],
  ['SocketTimeout', 'no response'],
  ['TooManyConnections', 'too many connections'],
]);

/** Why the database could not be reached, whatever wraps the error; null if the error has another cause. */
export function whyUnavailable(error: unknown): string | null {
  for (const { one, code, message } of causes(error)) {
    if (TEMPORARY_STATE.test(code) || SOCKET_CODE.test(code)) return message || code;
    if (CONNECTION_LOST.test(message)) return message;
    if (code === PROTOCOL_VIOLATION && POOLER_WAITS.test(message)) return message;
    const kind = KINDS.get(String(field(one, 'kind')));
    if (kind !== undefined) return kind;
  }
  return null;
}

/**
 * Whether the database, or Prisma on its behalf, ended a transaction or never began it, for a reason that passes: a timeout, a deadlock, a
 * conflict with another one, exhausted resources. Nothing of it was committed, so the same request can succeed later.
 */
export function isTransactionEnded(error: unknown): boolean {
  for (const { code, message } of causes(error)) {
    if (ENDED_STATE.test(code) || PRISMA_TIMEOUT.test(message)) return true;
  }
  return false;
}

/** The error and what caused it, from the outside in. */
function* causes(error: unknown): Generator<{ one: object; code: string; message: string }> {
  for (let one: unknown = error; typeof one === 'object' && one !== null; one = causeOf(one)) {
    // Its causes are more specific.
    if (one instanceof StartupError) continue;
    const code = String(field(one, 'originalCode') ?? field(one, 'code') ?? '');
    const message = String(field(one, 'originalMessage') ?? field(one, 'message') ?? '');
    yield { one, code, message };
  }
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
