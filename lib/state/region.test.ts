import { describe, expect, it } from 'vitest';
import {
  contradictsVerdict,
  countResult,
  endOf,
  isCertificateExpiring,
  isFirstFailure,
  SILENT_REGION,
  type StoredCheck,
  sortByEnd,
  toInput,
} from './region';
import { configOf, MINUTE, resultOf, type Seen, START, Story } from './testing/story';
import type { CheckInput, RegionState, StateConfig } from './types';

/** Checks a minute apart: o good, s slow, f failed. */
function regionAfter(run: string, change: Partial<StateConfig> = {}): RegionState {
  const seen: Record<string, Seen> = { o: 'ok', s: 'slow', f: 'fail' };
  const config = configOf(change);
  return [...run].reduce((region, letter, index) => {
    const at = START + index * MINUTE;
    return countResult(config, region, resultOf('us', seen[letter] ?? 'unknown', at), at);
  }, SILENT_REGION);
}

const minute = (moment: number | null) => (moment === null ? null : (moment - START) / MINUTE);

describe("a region's verdict", () => {
  it.each([
    // run, alertThreshold, recoveryThreshold, verdict, minute of the first check of the run that caused it
    ['o', 3, 1, 'good', 0],
    ['o', 3, 2, null, null],
    ['oo', 3, 2, 'good', 0],
    ['s', 3, 1, 'good', 0],
    ['s', 1, 1, 'slow', 0],
    ['ss', 2, 2, 'slow', 0],
    ['sos', 2, 3, 'good', 0],
    ['ff', 3, 1, null, null],
    ['fff', 3, 1, 'failing', 0],
    ['offoff', 3, 1, 'good', 0],
    ['ooffff', 3, 1, 'failing', 2],
    ['fofff', 3, 2, 'failing', 2],
    ['fffo', 3, 1, 'good', 3],
    ['fffo', 3, 2, 'failing', 0],
    ['fffofoo', 3, 2, 'good', 5],
    ['fffs', 3, 1, 'good', 3],
    ['fffss', 3, 1, 'good', 3],
    ['fffsss', 3, 1, 'slow', 3],
    ['fffosss', 3, 9, 'slow', 4],
    ['fffss', 2, 5, 'slow', 3],
    ['oosso', 2, 2, 'slow', 2],
    ['oossoso', 2, 2, 'slow', 2],
    ['oossosoo', 2, 2, 'good', 6],
    ['ssfo', 2, 1, 'good', 3],
    ['ssff', 2, 1, 'failing', 2],
    ['ssffs', 2, 1, 'good', 4],
    ['ssfs', 2, 1, 'slow', 0],
  ])(
    'after %s (alert %i, recovery %i) is %s since minute %s',
    (run, alertThreshold, recoveryThreshold, verdict, since) => {
      const region = regionAfter(run, { alertThreshold, recoveryThreshold });
      expect([region.verdict, minute(region.since)]).toEqual([verdict, since]);
    },
  );

  it.each([
    ['ff', { failures: 2, goods: 0, slows: 0, fasts: 0 }],
    ['ffs', { failures: 0, goods: 1, slows: 1, fasts: 0 }],
    ['ffso', { failures: 0, goods: 2, slows: 0, fasts: 1 }],
    ['ffsos', { failures: 0, goods: 3, slows: 1, fasts: 0 }],
    ['oosf', { failures: 1, goods: 0, slows: 0, fasts: 0 }],
  ])('counts after %s', (run, counters) => expect(regionAfter(run)).toMatchObject(counters));

  it('keeps up to five previous verdicts, newest first', () => {
    const { earlier } = regionAfter('ofofofofof', { alertThreshold: 1 });
    expect(earlier.map(({ verdict, since }) => [verdict, minute(since)])).toEqual([
      ['good', 8],
      ['failing', 7],
      ['good', 6],
      ['failing', 5],
      ['good', 4],
    ]);
  });
});

describe('the latest result', () => {
  it.each([
    ['fff', 'f', false],
    ['fff', 'o', true],
    ['fff', 's', true],
    ['oo', 'f', true],
    ['oo', 's', false],
    ['sss', 'o', false],
    ['', 'f', true],
    ['', 'o', false],
  ])('after %s, a result of %s contradicts the verdict: %s', (before, last, contradicts) => {
    const region = regionAfter(before + last, { recoveryThreshold: 2 });
    expect(contradictsVerdict(region)).toBe(contradicts);
  });
});

describe('a check', () => {
  it('is slow only above the threshold', () => {
    const config = configOf({ degradedThresholdMs: 5000 });
    const kind = (responseTime: number) =>
      countResult(config, SILENT_REGION, { ...resultOf('us', 'ok', START), responseTime }, START).latest
        ?.kind;
    expect([kind(5000), kind(5001)]).toEqual(['good', 'slow']);
  });

  it('is slow, however fast, if something is wrong although it succeeded', () => {
    const error = { code: 'dns', message: 'there is a record of type A, but the query for AAAA failed' };
    const seen = { ...resultOf('us', 'ok', START), error };
    expect(countResult(configOf(), SILENT_REGION, seen, START).latest).toMatchObject({ kind: 'slow', error });
  });

  it('detects a certificate expiring within the configured days, counted from its start', () => {
    const config = configOf({ tlsExpiryDays: 1 });
    const day = 1440 * MINUTE;
    expect(isCertificateExpiring(config, START + day, START)).toBe(true);
    expect(isCertificateExpiring(config, START + day + 1, START)).toBe(false);
    expect(isCertificateExpiring(config, START - day, START)).toBe(true);
    expect(isCertificateExpiring(config, null, START)).toBe(false);
    expect(isCertificateExpiring(configOf({ tlsExpiryDays: null }), START, START)).toBe(false);
  });
});

describe('a stored check', () => {
  const responded: StoredCheck = {
    region: 'us',
    startedAt: START,
    outcome: 'ok',
    responseTime: 6000,
    error: null,
  };
  const failed: StoredCheck = {
    ...responded,
    outcome: 'failed',
    responseTime: null,
    error: { code: 'connect', message: 'connection refused' },
  };
  const timedOut: StoredCheck = { ...failed, error: { code: 'timeout', message: 'no response within 30s' } };

  it('would have failed under a shorter timeout than its response took', () => {
    expect(toInput(responded, configOf({ timeoutMs: 5999 }))).toEqual({
      kind: 'result',
      ...responded,
      outcome: 'failed',
      responseTime: null,
      error: { code: 'timeout', message: 'no response within 6s' },
      certificateExpiresAt: null,
      statusCode: null,
    });
  });

  it.each([
    ['a response within the timeout', responded],
    ['a success without a response time', { ...responded, responseTime: null }],
    ['a failure, even a slow one', { ...failed, responseTime: 7000 }],
    ['an unknown outcome', { ...responded, outcome: 'unknown' as const, responseTime: 7000 }],
  ])('remains %s', (_, check) => {
    expect(toInput(check, configOf({ timeoutMs: 6000 }))).toMatchObject(check);
  });

  it('ended with its response, at its timeout, or as it began', () => {
    const ends = [responded, timedOut, failed, { ...responded, responseTime: null }];
    expect(ends.map((check) => endOf(check, 30_000) - START)).toEqual([6000, 30_000, 0, 0]);
  });

  it('is recorded when it ends, before those that began later', () => {
    const at = (startedAt: number, responseTime: number) => ({ ...responded, startedAt, responseTime });
    const [slow, fast, latest] = [at(START, 6000), at(START + 1000, 100), at(START + 5900, 100)];
    const checks = [latest, slow, fast];
    sortByEnd(checks, 30_000);
    expect(checks).toEqual([fast, slow, latest]);
  });
});

it('a certificate that expires soon makes a fast check slow', () => {
  const certificateExpiresAt = new Date(START + 1440 * MINUTE);
  const result = { ...resultOf('us', 'ok', START), certificateExpiresAt };
  const latest = (tlsExpiryDays: number | null) =>
    countResult(configOf({ tlsExpiryDays }), SILENT_REGION, result, START).latest;
  expect(latest(1)).toEqual({
    kind: 'slow',
    responseTime: 100,
    statusCode: 200,
    certificateExpiresAt: certificateExpiresAt.getTime(),
    error: null,
  });
  expect(latest(null)).toMatchObject({ kind: 'good' });
});

describe('the first failure of a run in a region', () => {
  /** Whether the last of these checks, a minute apart, is one. */
  const isFirst = (run: string, region = 'us') => {
    const story = new Story(configOf({ regions: ['us', 'eu'] }));
    const seen: Record<string, Seen> = { o: 'ok', f: 'fail', u: 'unknown' };
    let input: CheckInput = { kind: 'tick' };
    for (const [index, letter] of [...run].entries()) {
      input = resultOf('us', seen[letter] ?? 'slow', START + index * MINUTE);
      story.feed(input, START + index * MINUTE);
    }
    return isFirstFailure(story.state, { ...input, region } as CheckInput);
  };

  it.each([
    ['f', true],
    ['of', true],
    ['off', false],
    ['o', false],
    ['fo', false],
    ['ou', false],
    ['fu', false],
  ])('after %s: %s', (run, expected) => {
    expect(isFirst(run)).toBe(expected);
  });

  it('is none of a region that has not reported it, of an earlier check, or of a tick', () => {
    expect(isFirst('of', 'eu')).toBe(false);
    const { state } = new Story(configOf());
    const failed = countResult(configOf(), SILENT_REGION, resultOf('us', 'fail', START), START);
    const after = { ...state, regions: { us: failed } };
    expect(isFirstFailure(after, resultOf('us', 'fail', START))).toBe(true);
    expect(isFirstFailure(after, resultOf('us', 'fail', START - 1))).toBe(false);
    expect(isFirstFailure(after, resultOf('us', 'ok', START))).toBe(false);
    expect(isFirstFailure(after, { kind: 'tick' })).toBe(false);
  });
});
