import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isUnserved, readSilence } from './silence';
import { configOf, MINUTE, resultOf, SECOND, type Seen, START, Story } from './testing/story';

const NOBODY = new Set<string>();

/** Reads the silence of a two-region monitor after its story, this many seconds after it was created. */
function readAfter(
  lines: string,
  seconds: number,
  { unserved = NOBODY, enabled = true, regions = ['us', 'eu'] } = {},
) {
  const story = new Story(configOf({ regions }));
  story.run(lines);
  const { noDataSince, silentRegions } = readSilence(
    { enabled, config: story.config, state: story.state, configuredAt: START },
    unserved,
    START + seconds * SECOND,
  );
  return [noDataSince === null ? null : (noDataSince - START) / SECOND, silentRegions];
}

describe('a monitor is reported silent', () => {
  const BOTH = '0 us ok \n 10 eu ok';

  it('from one interval after its last result, once every region has lost its vote', () => {
    expect(readAfter(BOTH, 180)).toEqual([null, []]);
    expect(readAfter(BOTH, 181)).toEqual([null, ['us']]);
    expect(readAfter(BOTH, 191)).toEqual([70, ['us', 'eu']]);
  });

  it('or has no worker, and never before that moment', () => {
    const unserved = new Set(['us', 'eu']);
    expect(readAfter(BOTH, 69, { unserved })).toEqual([null, ['us', 'eu']]);
    expect(readAfter(BOTH, 70, { unserved })).toEqual([70, ['us', 'eu']]);
  });

  it('not while one region reports, which is then not listed', () => {
    expect(readAfter(BOTH, 100, { unserved: new Set(['eu']) })).toEqual([null, ['eu']]);
  });

  it('no longer once there is a result', () => {
    expect(readAfter(`${BOTH} \n 300 us ok`, 301)).toEqual([null, ['eu']]);
    expect(readAfter(`${BOTH} \n 300 us ok \n 301 eu fail`, 302)).toEqual([null, []]);
  });

  it('not while it is paused', () => {
    expect(readAfter(BOTH, 500, { enabled: false })).toEqual([null, []]);
  });

  it('one interval after its creation if no worker runs its first check', () => {
    const unserved = new Set(['us', 'eu']);
    expect(readAfter('', 1, { unserved })).toEqual([null, ['us', 'eu']]);
    expect(readAfter('', 60, { unserved })).toEqual([60, ['us', 'eu']]);
    expect(readAfter('', 60), 'its workers live, and have not got to it yet').toEqual([null, []]);
    expect(readAfter('', 181)).toEqual([60, ['us', 'eu']]);
  });

  it('since the moment the unknown period starts in the ledger, whichever is read first', () => {
    const story = new Story(configOf({ regions: ['us', 'eu'] }));
    story.run(BOTH);
    const now = START + 75 * SECOND;
    const read = () =>
      readSilence(
        { enabled: true, config: story.config, state: story.state, configuredAt: START },
        new Set(['us', 'eu']),
        now,
      );
    const before = read();
    expect(story.step('75 tick us,eu')).toBe('operational unknown@70');
    expect(read()).toEqual(before);
    expect(before.noDataSince).toBe(story.state.unknownSince);
  });
});

it('readers and the ledger always agree', () => {
  const REGIONS = ['us', 'eu', 'ap'];
  const steps = fc.array(
    fc.record({
      region: fc.constantFrom(...REGIONS),
      seen: fc.constantFrom<Seen>('ok', 'slow', 'fail', 'unknown'),
      pause: fc.integer({ min: 1, max: 150 }),
      unserved: fc.subarray(REGIONS),
    }),
    { maxLength: 30 },
  );
  fc.assert(
    fc.property(fc.subarray(REGIONS, { minLength: 1 }), steps, (regions, all) => {
      const story = new Story(configOf({ regions, alertThreshold: 1 }));
      let now = START;
      for (const { region, seen, pause, unserved } of all) {
        now += pause * SECOND;
        story.feed(resultOf(region, seen, now), now);
        now += pause * SECOND;
        story.feed({ kind: 'tick', unserved }, now);
        const { state, config } = story;
        const watched = { enabled: true, config, state, configuredAt: START };
        const { noDataSince } = readSilence(watched, new Set(unserved), now);
        if (state.status !== 'pending') expect(noDataSince).toBe(state.unknownSince);
      }
    }),
    { numRuns: 200 },
  );
});

it('a region is unserved after 60 s without a live worker, or if it never had one', () => {
  expect(isUnserved(START, START + MINUTE - 1)).toBe(false);
  expect(isUnserved(START, START + MINUTE)).toBe(true);
  expect(isUnserved(null, START)).toBe(true);
});
