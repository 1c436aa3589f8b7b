import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { ProbeResult } from '@/lib/checks/result';
import { createLogger } from '@/lib/core/logger';
import { FAILED, OK, START } from '@/lib/engine/testing/story';
import { createOutageWatch } from './outage-watch';

const SECOND = 1000;
const CUT: ProbeResult = {
  ...FAILED,
  statusCode: null,
  error: { code: 'timeout', message: 'no response within 30s' },
  networkFailure: true,
};

beforeEach(() => {
  vi.useFakeTimers({ now: START });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A watch whose canary responds as in `state.canary`, after `state.canaryMs`. */
function begin({ canary }: { canary: boolean | null }) {
  const reported: (Date | null)[] = [];
  const state = { canary, canaryMs: 0, checks: 0 };
  const watch = createOutageWatch({
    clock: { now: () => new Date() },
    log: createLogger('silent', 'test'),
    checkCanary: async () => {
      state.checks += 1;
      const { canary: response } = state;
      if (state.canaryMs > 0) await new Promise((resolve) => setTimeout(resolve, state.canaryMs));
      return response;
    },
    onCutOff: (since) => reported.push(since),
  });
  onTestFinished(watch.stop);
  return {
    reported,
    state,
    watch,
    /** Submits the result of a check that began now, or `ageMs` ago; `held` until it is released. */
    hand: (host: string, result: ProbeResult, ageMs = 0) => {
      const seen = { outcome: 'held', after: Number.NaN };
      const since = Date.now();
      void watch.judge(host, result, new Date(since - ageMs)).then(({ outcome }) => {
        Object.assign(seen, { outcome, after: Date.now() - since });
      });
      return seen;
    },
  };
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const hosts = (count: number) => Array.from({ length: count }, (_, index) => `host-${index + 1}.test`);

describe("the watcher's own outage", () => {
  it('alerts nobody: when five hosts are cut off while the canary is silent, none counts, and the operator is notified', async () => {
    const { hand, reported } = begin({ canary: false });
    const seen = hosts(5).map((host) => hand(host, CUT));
    await pass(0);
    expect(seen.map(({ outcome }) => outcome)).toEqual(Array(5).fill('unknown'));
    expect(reported).toEqual([START]);
  });

  it('nor when the five fail one after another within ten seconds', async () => {
    const { hand } = begin({ canary: false });
    const seen = [];
    for (const host of hosts(5)) {
      seen.push(hand(host, CUT));
      await pass(2 * SECOND);
    }
    expect(seen.map(({ outcome }) => outcome)).toEqual(Array(5).fill('unknown'));
  });

  it('nor when hosts were reached until just before', async () => {
    const { hand, reported } = begin({ canary: false });
    const before = hand('host-0.test', OK);
    await pass(50);
    const seen = hosts(6).map((host) => hand(host, CUT));
    await pass(9 * SECOND);
    expect(seen.map(({ outcome }) => outcome)).toEqual(Array(6).fill('held'));
    await pass(SECOND);
    expect(seen.map(({ outcome }) => outcome)).toEqual(Array(6).fill('unknown'));
    expect(before.outcome).toBe('ok');
    expect(reported).toHaveLength(1);
  });

  it('nor when it ends within ten seconds of the last reached host', async () => {
    const { hand, state, reported } = begin({ canary: false });
    hand('host-0.test', OK);
    await pass(50);
    const seen = hosts(5).map((host) => hand(host, CUT));
    await pass(3 * SECOND);
    state.canary = true;
    await pass(2 * SECOND);
    expect(seen.map(({ outcome }) => outcome)).toEqual(Array(5).fill('unknown'));
    expect(reported).toEqual([]);
  });

  it('drops all further results until the canary responds, including checks that began meanwhile', async () => {
    const { hand, state, reported } = begin({ canary: false });
    for (const host of hosts(5)) hand(host, CUT);
    await pass(0);
    const [cut, ok] = [hand('host-6.test', CUT), hand('host-7.test', OK)];
    await pass(0);
    expect([cut.outcome, ok.outcome]).toEqual(['unknown', 'unknown']);

    state.canary = true;
    await pass(2 * SECOND);
    expect(reported).toEqual([START, null]);
    await pass(SECOND);
    const late = hand('host-1.test', CUT, 5 * SECOND);
    const [fresh, reached] = [hand('host-2.test', CUT), hand('host-3.test', OK, 5 * SECOND)];
    await pass(0);
    expect([late.outcome, fresh.outcome, reached.outcome]).toEqual(['unknown', 'failed', 'ok']);
  });
});

describe('a network failure', () => {
  it.each([
    ['responds', true],
    ['cannot be checked', null],
  ])('counts immediately if the canary %s, which is checked once a second', async (_, canary) => {
    const { hand, state, reported } = begin({ canary });
    const seen = hosts(5).map((host) => hand(host, CUT));
    await pass(0);
    expect(seen.map(({ outcome }) => outcome)).toEqual(Array(5).fill('failed'));
    expect(state.checks).toBe(1);
    await pass(999);
    hand('host-6.test', CUT);
    await pass(0);
    expect(state.checks).toBe(1);
    await pass(1);
    hand('host-7.test', CUT);
    await pass(0);
    expect(state.checks).toBe(2);
    expect(reported).toEqual([]);
  });

  it('is held until the canary has responded', async () => {
    const { hand, state } = begin({ canary: true });
    state.canaryMs = 700;
    const seen = hand('host-1.test', CUT);
    await pass(699);
    expect(seen.outcome).toBe('held');
    await pass(1);
    expect(seen.outcome).toBe('failed');
  });

  it('counts once the canary responds again, if fewer than five hosts failed', async () => {
    const { hand, state, reported } = begin({ canary: false });
    const seen = hosts(4).map((host) => hand(host, CUT));
    await pass(3 * SECOND);
    state.canary = true;
    await pass(SECOND);
    expect(seen.map(({ outcome }) => outcome)).toEqual(Array(4).fill('failed'));
    expect(reported).toEqual([]);
  });

  it('counts after ten seconds, if fewer than five hosts failed', async () => {
    const { hand, reported } = begin({ canary: false });
    const seen = [...hosts(4), 'host-1.test', 'HOST-1.test.'].map((host) => hand(host, CUT));
    await pass(60 * SECOND);
    expect(seen).toEqual(Array(6).fill({ outcome: 'failed', after: 10 * SECOND }));
    expect(reported).toEqual([]);
  });

  it('counts as soon as any host is reached, even with an error', async () => {
    for (const reached of [OK, FAILED]) {
      const { hand, reported } = begin({ canary: false });
      const seen = hosts(4).map((host) => hand(host, CUT));
      await pass(SECOND);
      const proof = hand('host-0.test', reached);
      await pass(0);
      expect(proof.outcome).toBe(reached.outcome);
      expect(seen.map(({ outcome }) => outcome)).toEqual(Array(4).fill('failed'));
      expect(reported).toEqual([]);
    }
  });

  it('is ignored for the machine itself', async () => {
    const { hand, state, reported } = begin({ canary: false });
    const seen = ['127.0.0.1', 'localhost', '[::1]'].map((host) => hand(host, CUT));
    await pass(0);
    expect(seen.map(({ outcome }) => outcome)).toEqual(Array(3).fill('failed'));
    expect(state.checks).toBe(0);
    expect(reported).toEqual([]);
  });

  it('held when the worker stops becomes unknown: its check is handed over', async () => {
    const { hand, watch } = begin({ canary: false });
    const seen = hand('host-1.test', CUT);
    await pass(SECOND);
    watch.stop();
    await pass(0);
    expect(seen.outcome).toBe('unknown');
  });
});
