import { describe, expect, it, onTestFinished } from 'vitest';
import { createManualClock } from '@/lib/core/clock';
import { createLogger } from '@/lib/core/logger';
import type { ProbeResult } from '@/lib/probes/types';
import { createOutageWatch } from './outage-watch';
import { FAILED, OK, START } from './testing/story';

const CUT: ProbeResult = {
  ...FAILED,
  statusCode: null,
  error: { code: 'timeout', message: 'no answer within 30 s' },
  networkFailure: true,
};

function begin({ canary }: { canary: boolean | null }) {
  const clock = createManualClock(START);
  const told: (Date | null)[] = [];
  const state = { canary, asked: 0 };
  const watch = createOutageWatch({
    clock,
    log: createLogger('silent', 'test'),
    askCanary: async () => {
      state.asked += 1;
      return state.canary;
    },
    tellCutOff: (since) => told.push(since),
  });
  onTestFinished(watch.stop);
  const judge = async (host: string, result: ProbeResult) => (await watch.judge(host, result)).outcome;
  const failFive = async () => {
    const outcomes: string[] = [];
    for (let n = 1; n <= 5; n++) outcomes.push(await judge(`host-${n}.test`, CUT));
    return outcomes;
  };
  return { clock, told, state, judge, failFive };
}

describe("the watcher's own outage", () => {
  it('makes results unknown once five hosts failed by network and the canary fails too, and tells the operator', async () => {
    const { judge, failFive, told } = begin({ canary: false });
    expect(await failFive()).toEqual(['failed', 'failed', 'failed', 'failed', 'unknown']);
    expect(await judge('host-6.test', CUT)).toBe('unknown');
    expect(told).toEqual([START]);
  });

  it.each([
    ['the canary answers', true],
    ['nobody knows', null],
  ])('is none when %s', async (_, canary) => {
    const { failFive, told, state } = begin({ canary });
    expect(await failFive()).toEqual(Array(5).fill('failed'));
    expect(state.asked).toBe(1);
    expect(told).toEqual([]);
  });

  it('is not even suspected when a host answered, be it with an error', async () => {
    const { judge, failFive, state } = begin({ canary: false });
    await judge('host-0.test', FAILED);
    expect(await failFive()).toEqual(Array(5).fill('failed'));
    expect(state.asked).toBe(0);
  });

  it('leaves what runs on the machine itself alone', async () => {
    const { judge, failFive } = begin({ canary: false });
    await failFive();
    expect(await judge('127.0.0.1', FAILED)).toBe('failed');
    expect(await judge('localhost', OK)).toBe('ok');
  });

  it('ends when the canary answers again', async () => {
    const { judge, failFive, told, state } = begin({ canary: false });
    await failFive();
    state.canary = true;
    await expect.poll(() => told.length, { timeout: 5000 }).toBe(2);
    expect(told[1]).toBeNull();
    expect(await judge('host-1.test', OK)).toBe('ok');
    expect(await judge('host-2.test', CUT)).toBe('failed');
  });
});
