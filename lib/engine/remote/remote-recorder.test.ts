import { describe, expect, it } from 'vitest';
import { createLogger } from '@/lib/core/logger';
import { createManualClock } from '@/lib/core/time/clock';
import type { Exchange } from '@/lib/engine/remote/exchange';
import { createScheduled } from '@/lib/engine/testing/scheduled';
import { OK, START } from '@/lib/engine/testing/story';
import { ExchangeError } from './exchange';
import { createRemoteRecorder } from './remote-recorder';

const RESULTS = 20;

/** A recorder with results, whose first request is refused. Returns how many results each request had, and how many are recorded. */
async function recordRefused(refused: ExchangeError['refused']) {
  const sizes: number[] = [];
  const request = async (_name: string, input: { results?: unknown[] }) => {
    sizes.push(input.results?.length ?? 0);
    if (sizes.length === 1) throw new ExchangeError('refused', refused);
    return { count: 0, uncounted: [] };
  };
  const clock = createManualClock(START);
  const recorder = createRemoteRecorder(
    { request: request as Exchange['request'] },
    clock,
    createLogger('silent', 'test'),
  );
  const added = Array.from({ length: RESULTS }, (_, n) => {
    const monitor = createScheduled({ id: `mon_${n}`, region: 'us-east', intervalMs: 60_000, dueAt: 0 });
    const check = { monitor, lease: { shard: 0, epoch: 1 }, dueAt: START };
    return recorder.add({ check, startedAt: START, result: OK });
  });
  const recorded = (await Promise.all(added)).filter(Boolean).length;
  return { sizes, recorded };
}

describe('results of a probe', () => {
  it.each([
    ['the service cannot be reached', null],
    ['its token does not count', 'probe'],
  ] as const)('are sent again together while %s', async (_, refused) => {
    expect(await recordRefused(refused)).toEqual({ sizes: [RESULTS, RESULTS], recorded: RESULTS });
  });

  it('are sent again in parts if the service refuses them, so that one of them does not hold up the others', async () => {
    expect(await recordRefused('request')).toEqual({
      sizes: [RESULTS, RESULTS / 2, RESULTS / 2],
      recorded: RESULTS,
    });
  });
});
