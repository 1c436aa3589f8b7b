import { Pool } from 'pg';
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { DomainError } from '@/lib/core/errors';
import { formatTiming } from '@/lib/core/time/duration';
import { countPool } from '@/lib/platform/db/connections/pools';
import { countedAddress } from './address/request-address';

const WINDOW_SECONDS = 60;
const TABLE = 'rate_limit';
/** Counting must not keep a request waiting: after this, each process counts by itself. */
const COUNTING_MS = 2000;

/** A limit of a visitor: for which requests, and how many a minute. */
export type VisitorLimit = { of: string; perMinute: number };

/** Plenty for a person, or a script that polls once a second. */
export const VISITS: VisitorLimit = { of: 'visitor', perMinute: 300 };

/** Counts requests across all web processes. */
export type RateLimiter = ReturnType<typeof createRateLimiter>;

/** Thrown for a request beyond the limit; the headers contain when to retry. */
export class RateLimitedError extends DomainError {
  constructor(readonly headers: Record<string, string>) {
    super(
      'RATE_LIMITED',
      `Too many requests. Retry in ${formatTiming(Number(headers['Retry-After']) * 1000)}.`,
    );
  }
}

/** The headers of the rejection if a request is beyond the limit that `counting` counts toward, else null. */
export async function findRejection(counting: Promise<unknown>): Promise<Record<string, string> | null> {
  try {
    await counting;
    return null;
  } catch (error) {
    if (error instanceof RateLimitedError) return error.headers;
    throw error;
  }
}

/** Connections reserved for counting, so that a queue of requests cannot delay it. Errors of idle ones go to `onLost`. */
export function createCountingPool(url: string | undefined, onLost: (error: Error) => void): Pool {
  const pool = new Pool({
    connectionString: url,
    max: 2,
    application_name: 'pharos limits',
    connectionTimeoutMillis: COUNTING_MS,
    query_timeout: COUNTING_MS,
  });
  countPool('pharos limits', pool);
  pool.on('error', onLost);
  return pool;
}

/** Counts a request of a visitor toward a limit and returns the headers; none without a known address. Throws `RateLimitedError` beyond it. */
export async function countAddress(
  rateLimiter: RateLimiter,
  address: string | null,
  { of, perMinute }: VisitorLimit,
): Promise<Record<string, string>> {
  if (address === null) return {};
  return rateLimiter.count(`${of} ${countedAddress(address)}`, perMinute);
}

/** Counts in Postgres with one statement per request; in each process while the database is unavailable. */
export function createRateLimiter(pool: Pool) {
  const limiters = new Map<number, RateLimiterPostgres>();
  const limiterOf = (points: number) => {
    const limiter = limiters.get(points) ?? createLimiter(pool, points);
    limiters.set(points, limiter);
    return limiter;
  };
  return {
    /** Counts a request of `key` against `limit` per minute and returns the headers. Throws `RateLimitedError` beyond it. */
    count: async (key: string, limit: number): Promise<Record<string, string>> => {
      try {
        return limitHeaders(await limiterOf(limit).consume(key), limit);
      } catch (outcome) {
        if (!(outcome instanceof RateLimiterRes)) throw outcome;
        const retryAfter = String(Math.max(1, Math.ceil(outcome.msBeforeNext / 1000)));
        throw new RateLimitedError({ ...limitHeaders(outcome, limit), 'Retry-After': retryAfter });
      }
    },
  };
}

/** The headers of the IETF draft "RateLimit header fields for HTTP": the policy, and the remainder. */
function limitHeaders(
  { remainingPoints, msBeforeNext }: RateLimiterRes,
  limit: number,
): Record<string, string> {
  const seconds = Math.max(0, Math.ceil(msBeforeNext / 1000));
  return {
    'RateLimit-Policy': `"default";q=${limit};w=${WINDOW_SECONDS}`,
    RateLimit: `"default";r=${Math.max(0, remainingPoints)};t=${seconds}`,
  };
}

function createLimiter(pool: Pool, points: number): RateLimiterPostgres {
  const limit = { points, duration: WINDOW_SECONDS, keyPrefix: 'api' };
  return new RateLimiterPostgres({
    ...limit,
    storeClient: pool,
    tableName: TABLE,
    tableCreated: true,
    inMemoryBlockOnConsumed: points + 1,
    insuranceLimiter: new RateLimiterMemory(limit),
  });
}
