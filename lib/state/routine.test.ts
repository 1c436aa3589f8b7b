import { describe, expect, it } from 'vitest';
import { countResult, SILENT_REGION } from './region';
import { contestMark, failureOf, isRoutine, type PreviousResult, withLastChecks } from './routine';
import { configOf, MINUTE, resultOf, START, Story } from './testing/story';
import { firstRoundMs, voteLifetime } from './votes';

const ALONE = configOf({ alertThreshold: 2 });
const NOW = START + 3 * MINUTE;

/** The state after a story in which `us` and `eu` may report. */
function stateAfter(steps: string, config = ALONE) {
  const story = new Story(config);
  story.run(steps);
  return story.state;
}

describe('the mark of a state for the owners of its monitor', () => {
  it.each([
    ['0 us ok', false],
    ['0 us ok \n 60 us ok', false],
    ['0 us fail \n 60 us fail', 'down'],
    ['0 us fail \n 60 us fail \n 120 us fail', 'down'],
    // Something is pending: a first failure, a status that is not known yet, a slow response, a region without a result.
    ['0 us ok \n 60 us fail', true],
    ['0 us fail', true],
    ['0 us slow \n 60 us slow', true],
    ['', true],
  ])('after %j is %j', (steps, mark) => {
    expect(contestMark(ALONE, stateAfter(steps))).toBe(mark);
  });

  it('is contested while a region has not reported, or sees something else', () => {
    const two = { ...ALONE, regions: ['us', 'eu'] };
    expect(contestMark(two, stateAfter('0 us ok', two))).toBe(true);
    expect(contestMark(two, stateAfter('0 us ok \n 0 eu ok', two))).toBe(false);
    expect(contestMark(two, stateAfter('0 us ok \n 0 eu ok \n 60 eu fail', two))).toBe(true);
  });

  it('is contested for a job that calls: each call moves the deadline of the next', () => {
    expect(contestMark({ ...ALONE, isProbed: false }, stateAfter('0 us ok'))).toBe(true);
  });

  it('is contested while the status is not known', () => {
    const state = stateAfter('0 us ok');
    expect(contestMark(ALONE, { ...state, unknownSince: START })).toBe(true);
  });
});

describe('a result', () => {
  const good = { resultAt: NOW - MINUTE, certificateExpiresAt: null, failure: null, decidedAt: NOW - MINUTE };
  const failed = resultOf('us', 'fail', NOW);
  const { latest } = countResult(ALONE, SILENT_REGION, failed, NOW);
  if (latest === null) throw new Error('nothing was counted');
  const down: PreviousResult = { ...good, failure: failureOf(latest) };
  const ok = resultOf('us', 'ok', NOW);
  const isLike = (last: PreviousResult, result = ok, now = NOW) => isRoutine(ALONE, last, result, now);

  it('is routine if it is like the last one', () => {
    expect(isLike(good)).toBe(true);
    expect(isLike(down, failed)).toBe(true);
    expect(isLike({ ...good, certificateExpiresAt: 5 }, { ...ok, certificateExpiresAt: new Date(5) })).toBe(
      true,
    );
  });

  it('is not routine if it says something else', () => {
    expect(isLike(good, failed)).toBe(false);
    expect(isLike(down, ok)).toBe(false);
    expect(isLike(good, resultOf('us', 'slow', NOW))).toBe(false);
    expect(isLike(good, resultOf('us', 'unknown', NOW))).toBe(false);
    expect(isLike(good, { ...ok, certificateExpiresAt: new Date(5) })).toBe(false);
    expect(isLike(down, { ...failed, statusCode: 503 })).toBe(false);
    const error = { code: 'connect', message: 'another reason' } as const;
    expect(isLike(down, { ...failed, error })).toBe(false);
    expect(isLike({ ...good, resultAt: null })).toBe(false);
  });

  it('is not routine after a gap in which its region missed a round', () => {
    // A success arrives with its response time, 100 ms after its check began.
    const resultAt = NOW + 100;
    const comes = (ms: number, now = NOW + 200) => isLike({ ...good, resultAt: resultAt - ms }, ok, now);
    expect(comes(firstRoundMs(ALONE))).toBe(true);
    expect(comes(firstRoundMs(ALONE) + 1)).toBe(false);
    expect(comes(0)).toBe(true);
    expect(comes(-1), 'out of order').toBe(false);
    const lifetime = voteLifetime(ALONE);
    expect(comes(MINUTE, resultAt - MINUTE + lifetime)).toBe(true);
    expect(comes(MINUTE, resultAt - MINUTE + lifetime + 1), 'recorded after it lost its vote').toBe(false);
  });

  it('that failed is decided upon every half hour, so that there is never much to count', () => {
    const since = (decidedAt: number | null) => isLike({ ...down, decidedAt }, failed);
    expect(since(NOW - 30 * MINUTE)).toBe(true);
    expect(since(NOW - 30 * MINUTE - 1)).toBe(false);
    expect(since(null)).toBe(false);
  });
});

it('failures that look the same are equal, however long they took', () => {
  const about = { statusCode: 503, certificateExpiresAt: null, error: null };
  const error = { code: 'status', message: 'responded with 503' } as const;
  expect(failureOf({ ...about, error })).toBe(failureOf({ ...about, error: { ...error } }));
  const others = [
    { ...about, statusCode: 502 },
    { ...about, certificateExpiresAt: 5 },
    { ...about, certificateName: 'intermediate certificate “R3”' },
    { ...about, error },
    { ...about, error: { ...error, code: 'assertion' } },
    { ...about, error: { ...error, detail: 'body is “secret”' } },
  ];
  expect(new Set([about, ...others].map(failureOf)).size).toBe(others.length + 1);
});

describe('checks that were routine', () => {
  const check = { region: 'us', startedAt: NOW, resultAt: NOW + 100, responseTime: 90, failures: 2 };

  it('are counted in the state, with the last response time', () => {
    const state = stateAfter('0 us fail \n 60 us fail');
    const after = withLastChecks(state, [check]);
    expect(after.regions.us).toMatchObject({ startedAt: NOW, resultAt: NOW + 100, failures: 4 });
    expect(after.regions.us?.latest).toMatchObject({ kind: 'failed', responseTime: 90 });
    expect(after).toMatchObject({ status: 'down', lastResultAt: NOW + 100, consecutiveFailures: 4 });
  });

  it('are ignored if the state is as new, or knows no result of their region', () => {
    const state = stateAfter('0 us fail \n 60 us fail');
    expect(withLastChecks(state, [{ ...check, startedAt: START + MINUTE }])).toBe(state);
    expect(withLastChecks(state, [{ ...check, startedAt: START + MINUTE + 1 }])).not.toBe(state);
    expect(withLastChecks(state, [{ ...check, region: 'eu' }])).toBe(state);
    const silent = { ...state, regions: { us: { ...SILENT_REGION, startedAt: START } } };
    expect(withLastChecks(silent, [check])).toBe(silent);
  });

  it('leave the time of a later result', () => {
    const state = { ...stateAfter('0 us fail \n 60 us fail'), lastResultAt: NOW + MINUTE };
    expect(withLastChecks(state, [check]).lastResultAt).toBe(NOW + MINUTE);
    expect(withLastChecks({ ...state, lastResultAt: null }, [check]).lastResultAt).toBe(NOW + 100);
  });
});
