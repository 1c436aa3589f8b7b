import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { ProbeResult } from '@/lib/checks/result';
import { createTarget } from '@/lib/checks/testing/target';
import { createLogger } from '@/lib/core/logger';
import { CUT, type SimulatedProof, simulateNetwork } from '@/lib/engine/testing/simulated-network';
import { FAILED, OK, START } from '@/lib/engine/testing/story';
import { type JudgedCheck, type NetworkCondition, OutageWatch } from './outage-watch';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
/** How long a watch has been asking: no proof is being asked now. */
const ASKED_FOR_MS = 55 * SECOND;
const CANARY = { id: '192.0.2.1', way: 'routed', isConfigured: true } as const;
const LOOKUP = { id: 'lookup', way: 'routed', isConfigured: false } as const;
const GATEWAY = { id: 'gateway 10.1.0.1', way: 'on-link lan', isConfigured: false } as const;
const LAN_HOST = '10.1.0.9';

beforeEach(() => {
  vi.useFakeTimers({ now: START });
});
afterEach(() => {
  vi.useRealTimers();
});

type Options = Partial<Omit<JudgedCheck, 'host'>> & { ageMs?: number };

/** A watch whose proofs respond while `state.works`, asked for a while; and the results of checks handed to it. */
async function begin(
  proofs: readonly Omit<SimulatedProof, 'responds'>[] = [CANARY],
  works: boolean | null = true,
) {
  const reported: NetworkCondition[] = [];
  const back: Date[] = [];
  const state = { works, silent: new Set<string>() };
  const responds = (id: string) => () => state.works && !state.silent.has(id);
  const { network, asked } = simulateNetwork(
    proofs.map((proof) => ({ ...proof, responds: responds(proof.id) })),
  );
  const watch = new OutageWatch({
    clock: { now: () => new Date() },
    log: createLogger('silent', 'test'),
    network,
    onCutOff: () => reported.push(watch.condition()),
    onBack: (workedUntil) => back.push(workedUntil),
  });
  onTestFinished(watch.stop);
  watch.start();
  await pass(ASKED_FOR_MS);
  return {
    reported,
    back,
    state,
    asked,
    watch,
    /** Submits the result of a check that began now, or `ageMs` ago; `held` until it is released. */
    hand: (host: string, result: ProbeResult, { ageMs = 0, ...options }: Options = {}) => {
      const seen = { outcome: 'held', after: Number.NaN };
      const since = Date.now();
      const startedAt = new Date(since - ageMs);
      const repeat = async () => expect.fail('not to be repeated');
      void watch
        .judge(
          { host, target: createTarget('http', `http://${host}`), startedAt, repeat, ...options },
          result,
        )
        .then(({ outcome }) => {
          Object.assign(seen, { outcome, after: Date.now() - since });
        });
      return seen;
    },
  };
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const hosts = (count: number) => Array.from({ length: count }, (_, index) => `host-${index + 1}.test`);

describe("the watcher's own outage", () => {
  it.each([1, 2, 6])('makes no failure count, not even of %i hosts', async (count) => {
    const { hand, state, reported } = await begin();
    const at = new Date();
    state.works = false;
    const seen = hosts(count).map((host) => hand(host, CUT));
    await pass(10 * SECOND);
    expect(seen.map(({ outcome }) => outcome)).toEqual(Array(count).fill('unknown'));
    expect(reported).toMatchObject([{ cutOffAt: at }]);
    const later = hand('host-1.test', CUT);
    await pass(0);
    expect(later.outcome, 'and is not held any more').toBe('unknown');
  });

  it('ends with the first target that is reached, whose result counts, even if it is wrong', async () => {
    for (const reached of [OK, FAILED]) {
      const { hand, state, reported, watch } = await begin();
      state.works = false;
      hand('host-1.test', CUT);
      await pass(10 * SECOND);
      const proof = hand('host-2.test', reached);
      await pass(0);
      expect(proof.outcome).toBe(reached.outcome);
      expect(reported).toMatchObject([{ cutOffAt: expect.any(Date) }, { cutOffAt: null, dropped: 1 }]);
      watch.stop();
    }
  });

  it('ends with the first proof that works, however long it lasted', async () => {
    const { hand, state, watch } = await begin();
    state.works = false;
    hand('host-1.test', CUT);
    await pass(60 * MINUTE);
    const late = hand('host-1.test', CUT);
    await pass(10 * SECOND);
    expect(late.outcome).toBe('unknown');
    state.works = true;
    await pass(5 * SECOND);
    expect(watch.condition().cutOffAt).toBeNull();
    const fresh = hand('host-1.test', CUT);
    await pass(SECOND);
    expect(fresh.outcome).toBe('failed');
  });

  it('has a check repeated that began before its end', async () => {
    const { hand, state } = await begin();
    state.works = false;
    const early = hand('host-1.test', CUT, { repeat: async () => OK });
    await pass(4 * SECOND);
    state.works = true;
    await pass(SECOND);
    expect(early.outcome).toBe('held');
    const [up, down, again] = [OK, CUT, OK].map((second, index) =>
      hand(`host-${index + 2}.test`, CUT, { ageMs: 10 * SECOND, repeat: async () => second }),
    );
    await pass(3 * SECOND);
    expect([early, up, down, again].map((each) => each?.outcome)).toEqual(['ok', 'ok', 'failed', 'ok']);
  });

  it('has each target checked again, once, whose failure became unknown', async () => {
    const { hand, state } = await begin();
    state.works = false;
    const target = createTarget('http', 'http://host-1.test');
    const onBack = vi.fn();
    hand('host-1.test', CUT, { target, onBack });
    await pass(20 * SECOND);
    hand('host-1.test', CUT, { target, onBack });
    await pass(SECOND);
    expect(onBack).not.toHaveBeenCalled();
    state.works = true;
    await pass(5 * SECOND);
    expect(onBack).toHaveBeenCalledTimes(1);
  });

  it('on one way leaves failures on another alone', async () => {
    const { hand, state } = await begin([LOOKUP, GATEWAY]);
    state.silent.add(LOOKUP.id);
    const [local, remote] = [hand(LAN_HOST, CUT), hand('host-1.test', CUT)];
    await pass(SECOND);
    expect([local.outcome, remote.outcome]).toEqual(['failed', 'held']);
    const neighbor = hand('10.1.0.8', OK);
    await pass(9 * SECOND);
    expect([neighbor.outcome, remote.outcome], 'a neighbor that responds proves nothing').toEqual([
      'ok',
      'unknown',
    ]);
  });

  it('is judged by the way to the last known address of a name', async () => {
    const { hand, state } = await begin([LOOKUP, GATEWAY]);
    hand('printer.test', { ...OK, address: LAN_HOST });
    state.silent.add(LOOKUP.id);
    const seen = hand('printer.test', { ...CUT, phases: { ...CUT.phases, dns: 3 } });
    await pass(SECOND);
    expect(seen.outcome).toBe('failed');
    const lookup = hand('printer.test', {
      ...CUT,
      error: { code: 'dns', message: 'the resolver did not respond' },
    });
    await pass(10 * SECOND);
    expect(lookup.outcome, 'its lookup needs the way out').toBe('unknown');
  });

  it.each([
    ['a resolver nearby', '10.1.0.1', 'unknown'],
    ['the resolver of this machine', '127.0.0.53', 'unknown'],
    ['a resolver behind the gateway', '192.0.2.53', 'failed'],
  ])('may be why %s returns SERVFAIL', async (_, address, outcome) => {
    const { hand, state } = await begin([LOOKUP, GATEWAY]);
    state.works = false;
    const error = { code: 'dns', message: 'resolver returned SERVFAIL' } as const;
    const target = createTarget('dns', 'example.test');
    const seen = hand('the configured resolver', { ...CUT, error, address }, { target });
    await pass(10 * SECOND);
    expect(seen.outcome).toBe(outcome);
  });

  it('without a proof is seen in five hosts that fail within ten seconds', async () => {
    const { hand } = await begin([]);
    const seen = [];
    for (const host of hosts(5)) {
      seen.push(hand(host, CUT));
      await pass(2 * SECOND);
    }
    await pass(2 * SECOND);
    expect(seen.map(({ outcome }) => outcome)).toEqual(Array(5).fill('unknown'));
  });
});

it('an outage of all targets but one counts without a proof, once that one was reached', async () => {
  const { hand } = await begin([]);
  const [up = '', ...down] = hosts(7);
  const fail = () => down.map((host) => hand(host, CUT));
  const first = fail();
  await pass(10 * SECOND);
  expect(first.map(({ outcome }) => outcome)).toEqual(Array(6).fill('unknown'));
  hand(up, OK);
  await pass(15 * SECOND);
  const second = fail();
  await pass(0);
  expect(second.map(({ outcome }) => outcome)).toEqual(Array(6).fill('failed'));
});

describe('a network failure', () => {
  it('counts as soon as a proof responds', async () => {
    const { hand, reported } = await begin();
    const seen = hosts(50).map((host) => hand(host, CUT));
    await pass(100);
    expect(seen.map(({ outcome }) => outcome)).toEqual(Array(50).fill('failed'));
    expect(reported).toEqual([]);
  });

  it('counts as soon as any host is reached, once it was repeated: the silent proof may have been right until then', async () => {
    for (const reached of [OK, FAILED]) {
      const { hand, state, reported, watch } = await begin();
      state.works = false;
      const repeat = vi.fn(async () => CUT);
      const seen = hosts(4).map((host) => hand(host, CUT, { repeat }));
      await pass(5 * SECOND);
      hand('host-0.test', reached);
      await pass(3 * SECOND);
      expect(seen.map(({ outcome }) => outcome)).toEqual(Array(4).fill('failed'));
      expect(repeat).toHaveBeenCalledTimes(4);
      expect(reported).toEqual([]);
      watch.stop();
    }
  });

  it.each([
    ['that never worked', false],
    ['that cannot be asked', null],
  ])('counts after ten seconds with a proof %s', async (_, works) => {
    const { hand, reported } = await begin([CANARY], works);
    const seen = [...hosts(4), 'host-1.test', 'HOST-1.test.'].map((host) => hand(host, CUT));
    await pass(MINUTE);
    expect(seen).toEqual(Array(6).fill({ outcome: 'failed', after: 10 * SECOND }));
    expect(reported).toEqual([]);
  });

  it('counts with a proof that was retired while targets were reached', async () => {
    const { hand, state, watch } = await begin();
    state.works = false;
    for (let minute = 0; minute < 3; minute++) {
      await pass(MINUTE);
      hand('host-1.test', OK);
    }
    expect(watch.condition().silentCanaryAt).toEqual(new Date(START.getTime() + MINUTE));
    const seen = hand('host-1.test', CUT);
    await pass(10 * SECOND);
    expect(seen.outcome).toBe('failed');
  });

  it('is ignored for the machine itself', async () => {
    const { hand, state, asked } = await begin();
    state.works = false;
    const before = asked.get(CANARY.id);
    const seen = ['127.0.0.1', 'localhost', '[::1]', '10.1.0.2'].map((host) => hand(host, CUT));
    await pass(0);
    expect(seen.map(({ outcome }) => outcome)).toEqual(Array(4).fill('failed'));
    expect(asked.get(CANARY.id)).toBe(before);
  });

  it('held when the worker stops becomes unknown: its check is handed over', async () => {
    const { hand, state, watch } = await begin();
    state.works = false;
    const seen = hand('host-1.test', CUT);
    await pass(SECOND);
    watch.stop();
    await pass(0);
    expect(seen.outcome).toBe('unknown');
  });
});

it('a proof is asked once a minute, and while it is silent every ten seconds', async () => {
  const { asked, state } = await begin();
  const before = asked.get(CANARY.id) ?? 0;
  await pass(10 * MINUTE);
  expect((asked.get(CANARY.id) ?? 0) - before).toBe(10);
  state.works = false;
  await pass(2 * MINUTE);
  expect((asked.get(CANARY.id) ?? 0) - before - 10).toBeGreaterThanOrEqual(7);
});

describe('whether the network is reached', () => {
  it('is asked if nobody knows: a heartbeat that is missed shows nothing of the job while it is not', async () => {
    const { watch, state, reported, back } = await begin();
    const reaches = async () => {
      const reached = watch.reachesNetwork();
      await pass(10 * SECOND);
      return reached;
    };
    const askedAt = Date.now();
    expect(await reaches()).toBe(true);
    state.works = false;
    await pass(10 * MINUTE);
    expect(await reaches()).toBe(true);
    expect(reported).toEqual([]);
    state.works = true;
    await pass(MINUTE);
    state.works = false;
    expect(await reaches()).toBe(false);
    expect(reported).toHaveLength(1);
    state.works = true;
    await pass(MINUTE);
    expect(await reaches()).toBe(true);
    expect(back).toHaveLength(1);
    expect(back[0]?.getTime()).toBeGreaterThan(askedAt + 10 * MINUTE);
  });

  it('is assumed where no proof ever worked', async () => {
    const { watch } = await begin([CANARY], false);
    expect(await watch.reachesNetwork()).toBe(true);
  });
});
