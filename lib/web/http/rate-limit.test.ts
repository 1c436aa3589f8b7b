import { describe, expect, it } from 'vitest';
import { useTestDatabase, useTestPool } from '@/lib/testing/database';
import { createRateLimiter, RateLimitedError } from './rate-limit';

const database = useTestDatabase();
const pools = [1, 2].map(() => useTestPool(database, { max: 2 }));

describe('the rate limit', () => {
  it('allows exactly this many requests per minute across all processes, and reports the remainder', async () => {
    const processes = pools.map((pool) => createRateLimiter(pool()));
    const outcomes = await Promise.allSettled(
      Array.from({ length: 12 }, (_, index) => processes[index % 2]?.count('org_1', 10)),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
    const left = outcomes.flatMap((outcome) =>
      outcome.status === 'fulfilled' ? [outcome.value?.RateLimit] : [],
    );
    expect(left.some((header) => /^"default";r=0;t=\d+$/.test(header ?? ''))).toBe(true);
  });

  it('reports when to retry, and does not affect others', async () => {
    const [limiter] = pools.map((pool) => createRateLimiter(pool()));
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
