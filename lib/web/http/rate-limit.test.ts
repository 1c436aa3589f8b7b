import { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useTestDatabase } from '@/lib/testing/database';
import { createRateLimiter, RateLimitedError } from './rate-limit';

const database = useTestDatabase();
let pools: Pool[];

beforeAll(() => {
  pools = [1, 2].map(() => new Pool({ connectionString: database.url, max: 2 }));
});
afterAll(() => Promise.all(pools.map((pool) => pool.end())));

describe('the rate limit', () => {
  it('allows exactly this many requests per minute across all processes, and reports the remainder', async () => {
    const processes = pools.map(createRateLimiter);
    const tries = await Promise.allSettled(
      Array.from({ length: 12 }, (_, index) => processes[index % 2]?.count('org_1', 10)),
    );
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
    const left = tries.flatMap((outcome) =>
      outcome.status === 'fulfilled' ? [outcome.value?.RateLimit] : [],
    );
    expect(left.some((header) => /^"default";r=0;t=\d+$/.test(header ?? ''))).toBe(true);
  });

  it('reports when to retry, and does not affect others', async () => {
    const [limiter] = pools.map(createRateLimiter);
    await limiter?.count('org_2', 1);
    const refusal = await limiter?.count('org_2', 1).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(RateLimitedError);
    expect(refusal).toMatchObject({
      code: 'RATE_LIMITED',
      headers: {
        'RateLimit-Policy': '"default";q=1;w=60',
        RateLimit: expect.stringMatching(/^"default";r=0;t=\d+$/),
        'Retry-After': expect.stringMatching(/^[1-9]\d?$/),
      },
    });
    await expect(limiter?.count('org_3', 1)).resolves.toBeDefined();
  });
});
