import { expect, it } from 'vitest';
import { useSharedDatabase } from '@/lib/testing/database';
import { beginDeliveries, START } from '../testing/delivery-story';
import { readEndpointCurve } from './read-endpoint-curve';

const database = useSharedDatabase();
const HOUR_MS = 3_600_000;
const NONE = { attempts: 0, failures: 0, median: null };

async function begin() {
  const story = await beginDeliveries(database.db);
  const webhook = await story.addEndpoint();
  /** A delivery with attempts, each a response time in milliseconds, a failure, or one that sent nothing. */
  const attempt = async (...outcomes: (number | 'timeout' | 'refused' | 'not sent')[]) => {
    const deliveryId = await story.degrade({ id: 'mon_1', name: 'Shop' });
    const at = story.clock.now();
    await database.db.deliveryAttempt.createMany({
      data: outcomes.map((outcome, index) => {
        const responded = { duration: Number(outcome), statusCode: 200 };
        const failures = {
          timeout: { duration: 30_000, error: 'no response within 30s' },
          refused: { duration: 40, statusCode: 503, error: 'responded with 503, expected 2xx' },
          'not sent': { duration: 0, error: 'the endpoint is disabled', url: null },
        };
        return {
          id: `att_${deliveryId}_${index}`,
          deliveryId,
          number: index + 1,
          startedAt: at,
          finishedAt: at,
          url: 'http://receiver.test/',
          ...(typeof outcome === 'number' ? responded : failures[outcome]),
        };
      }),
    });
  };
  return { ...story, webhook, attempt };
}

it('the attempts of 7 days are counted in steps of 4 hours, with the median of the response times', async () => {
  const { ctx, clock, webhook, attempt } = await begin();
  await attempt(20, 10, 400);
  clock.advance(4 * HOUR_MS - 1);
  await attempt('timeout', 'refused', 'not sent');
  clock.advance(1);
  await attempt('timeout');
  const { from, width, steps, since } = await readEndpointCurve(ctx, webhook);
  expect([from + steps.length * width, width, steps.length]).toEqual([
    START.getTime() + 8 * HOUR_MS,
    4 * HOUR_MS,
    42,
  ]);
  expect(steps.slice(-2)).toEqual([
    { attempts: 5, failures: 2, median: 20 },
    { attempts: 1, failures: 1, median: null },
  ]);
  expect(steps.slice(0, -2)).toEqual(steps.slice(0, -2).map(() => NONE));
  expect(since).toBeNull();

  clock.advance(160 * HOUR_MS);
  expect((await readEndpointCurve(ctx, webhook)).steps.slice(0, 2)).toEqual([
    { attempts: 5, failures: 2, median: 20 },
    { attempts: 1, failures: 1, median: null },
  ]);
  clock.advance(4 * HOUR_MS);
  expect((await readEndpointCurve(ctx, webhook)).steps[0]).toMatchObject({ attempts: 1 });
});

it('only the newest deliveries of an endpoint are read, and the oldest of them is named', async () => {
  const { ctx, clock, webhook, attempt } = await begin();
  for (const duration of [500, 300, 100]) {
    await attempt(duration);
    clock.advance(1000);
  }
  const { steps, since } = await readEndpointCurve(ctx, webhook, 2);
  expect(steps.at(-1)).toEqual({ attempts: 2, failures: 0, median: 100 });
  expect(since).toEqual(new Date(START.getTime() + 1000));
  const { ctx: stranger } = await begin();
  expect((await readEndpointCurve(stranger, webhook)).steps.filter(({ attempts }) => attempts > 0)).toEqual(
    [],
  );
});
