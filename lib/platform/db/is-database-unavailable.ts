/**
 * SQLSTATE classes in which PostgreSQL refuses the very values of a statement: data exceptions, violated constraints,
 * exceeded limits. All others (lost connections, shutdown, deadlocks, a full disk, a missing table during an upgrade) say
 * nothing about the values.
 */
const REFUSALS = /^(22|23|54)/;

/** How pg and its pool describe a lost connection; they give these errors no code. */
export const CONNECTION_LOST =
  /connection terminated|connection error|not queryable|timeout expired|when trying to connect/i;
export const SOCKET_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
]);

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
export function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
