import { describe, expect, it } from 'vitest';
import { configOf, MINUTE, SECOND, START, Story } from '../testing/story';
import type { MonitorState, StateConfig } from '../types';
import { listOffGridChecks } from './follow-confirmation';

const ONE = { confirmMs: 10 * SECOND };
const THREE = { ...ONE, regions: ['us', 'eu', 'ap'] };

/**
 * Runs a story. After `->` come the status, how many checks each region used of its run, and when its next one is due in seconds:
 * `us 1/20`. Without a run: `-`.
 */
function expectRuns(config: Partial<StateConfig>, text: string): Story {
  const story = new Story(configOf(config));
  const lines = text.split('\n').map((line) => line.trim().replaceAll(/\s+/g, ' '));
  const seen = lines.map((line) => {
    const step = line.split(' -> ')[0] ?? '';
    story.step(step);
    return `${step} -> ${story.state.status} ${formatRun(story.state)}`;
  });
  expect(seen).toEqual(lines);
  return story;
}

function formatRun({ confirmation }: MonitorState): string {
  if (!confirmation?.isOpen) return '-';
  const regions = Object.entries(confirmation.regions).map(([id, { used, dueAt }]) => {
    return `${id} ${Math.round(used)}/${dueAt === null ? 'none' : (dueAt - START) / SECOND}`;
  });
  return regions.join(' ');
}

describe('a run of checks off the grid', () => {
  it('begins with a first failure, and ends when the threshold is met', () => {
    const story = expectRuns(
      ONE,
      `0  us ok   -> operational -
       60 us fail -> operational us 0/70
       70 us fail -> operational us 1/80
       80 us fail -> down -
       120 us fail -> down -`,
    );
    expect(story.lastChange()).toMatchObject({ to: 'down', at: START + 80 * SECOND, since: START + MINUTE });
  });

  it('ends when the verdict is clear', () => {
    expectRuns(
      ONE,
      `0   us ok   -> operational -
       60  us fail -> operational us 0/70
       70  us ok   -> operational -
       120 us ok   -> operational -`,
    );
  });

  it('is not begun by slow checks, inconclusive ones, or by the first run of a region', () => {
    expectRuns(
      ONE,
      `0   us fail    -> pending -
       60  us ok      -> operational -
       120 us slow    -> operational -
       180 us unknown -> operational -
       240 us fail    -> operational us 0/250
       250 us unknown -> operational us 0/250
       300 us fail    -> operational us 1/310`,
    );
  });

  it('begins with the first success of a failing region, and ends when it has recovered', () => {
    const story = expectRuns(
      { ...ONE, recoveryThreshold: 3, alertThreshold: 1 },
      `0   us fail -> down -
       60  us ok   -> down us 0/70
       70  us ok   -> down us 1/80
       80  us ok   -> operational -`,
    );
    expect(story.lastChange()).toMatchObject({ at: START + 80 * SECOND, since: START + MINUTE });
  });

  it('does not begin without checks off the grid, and ends when they are disabled', () => {
    const story = new Story(configOf());
    for (const step of ['0 us ok', '60 us fail']) story.step(step);
    expect(story.state.confirmation).toBeNull();
    const confirming = new Story(configOf(ONE));
    for (const step of ['0 us ok', '60 us fail']) confirming.step(step);
    const { state } = confirming;
    Object.assign(confirming.config, { confirmMs: null });
    confirming.step('65 us fail');
    expect(confirming.state.confirmation).toBeNull();
    expect(listOffGridChecks(state, confirming.state)).toEqual([{ region: 'us', at: START + 65 * SECOND }]);
  });

  it('continues at once after a check that took longer than the time between checks', () => {
    expectRuns(
      ONE,
      `0       us ok   -> operational -
       60..90  us fail -> operational us 0/90
       90..120 us fail -> operational us 1/120
       120..150 us fail -> down -`,
    );
  });

  it('counts a slot of the grid in between as an ordinary result, which takes the place of what was due', () => {
    expectRuns(
      { ...ONE, alertThreshold: 4 },
      `0   us ok   -> operational -
       60  us fail -> operational us 0/70
       65  us fail -> operational us 0/75
       75  us fail -> operational us 1/85
       90  us fail -> down -`,
    );
  });

  it('ends with the votes: nothing is due once the status is unknown', () => {
    expectRuns(
      ONE,
      `0   us ok   -> operational -
       60  us fail -> operational us 0/70
       300 tick    -> operational -`,
    );
    // Without a tick: the next result begins a first run.
    expectRuns(
      ONE,
      `0   us ok   -> operational -
       60  us fail -> operational us 0/70
       300 us fail -> operational -`,
    );
  });
});

describe('several regions', () => {
  it('are all due at once after the first failure, and each again after its own check', () => {
    const story = expectRuns(
      THREE,
      `0  us ok   -> pending -
       20 eu ok   -> operational -
       40 ap ok   -> operational -
       60 us fail -> operational us 0/70 eu 0/60 ap 0/60
       60 eu fail -> operational us 0/70 eu 1/70 ap 0/60
       61 ap ok   -> operational us 0/70 eu 1/70 ap 1/71
       70 us fail -> operational us 1/80 eu 1/70 ap 1/71
       71 eu fail -> operational us 1/80 eu 2/81 ap 1/71
       72 ap ok   -> operational us 1/80 eu 2/81 ap 2/82
       80 us fail -> operational us 2/90 eu 2/81 ap 2/82
       81 eu fail -> down -`,
    );
    expect(story.lastChange()).toMatchObject({ to: 'down', since: START + MINUTE });
  });

  it('rule out what one of them saw once', () => {
    expectRuns(
      THREE,
      `0  us ok   -> pending -
       20 eu ok   -> operational -
       40 ap ok   -> operational -
       60 us fail -> operational us 0/70 eu 0/60 ap 0/60
       60 eu ok   -> operational us 0/70 eu 1/70 ap 0/60
       61 ap ok   -> operational us 0/70 eu 1/70 ap 1/71
       70 us ok   -> operational -`,
    );
  });

  it('confirm what one of them keeps seeing as degraded, and rule it out within one round', () => {
    expectRuns(
      { ...THREE, alertThreshold: 2 },
      `0   us ok   -> pending -
       20  eu ok   -> operational -
       40  ap ok   -> operational -
       60  us fail -> operational us 0/70 eu 0/60 ap 0/60
       61  eu ok   -> operational us 0/70 eu 1/71 ap 0/60
       61  ap ok   -> operational us 0/70 eu 1/71 ap 1/71
       70  us fail -> operational us 1/80 eu 1/70 ap 1/70
       70  eu ok   -> operational us 1/80 eu 2/80 ap 1/70
       71  ap ok   -> degraded -
       120 us ok   -> degraded us 0/130 eu 1/120 ap 1/120
       121 eu ok   -> degraded us 0/130 eu 2/131 ap 1/120
       121 ap ok   -> operational -`,
    );
  });

  it('report a recovery at once after the last verdict: the others only have to check again', () => {
    expectRuns(
      { ...THREE, alertThreshold: 1 },
      `0   us fail -> pending -
       1   eu fail -> down -
       2   ap fail -> down -
       60  us ok   -> down us 0/70 eu 0/60 ap 0/60
       60  eu ok   -> down us 0/70 eu 1/70 ap 0/60
       61  ap ok   -> down us 0/61 eu 1/61 ap 1/71
       62  us ok   -> down us 1/72 eu 1/61 ap 1/71
       62  eu ok   -> operational -`,
    );
  });

  it('that join an outage late begin nothing', () => {
    expectRuns(
      { ...THREE, alertThreshold: 1 },
      `0  us ok   -> pending -
       20 eu ok   -> operational -
       40 ap ok   -> operational -
       60 us fail -> operational us 0/70 eu 0/60 ap 0/60
       60 eu fail -> down -
       61 ap fail -> down -`,
    );
  });
});

describe('the limit', () => {
  it('is ten checks off the grid per region and run, even if the status is never settled', () => {
    const story = new Story(configOf({ ...ONE, alertThreshold: 10, regions: ['us', 'eu'] }));
    for (const step of ['0 us ok', '1 eu ok', '60 us fail']) story.step(step);
    const counts: string[] = [];
    // eu never checks, so what us found is not settled.
    for (let n = 1; n <= 11; n += 1) {
      story.step(`${60 + 10 * n} us fail`);
      counts.push(formatRun(story.state));
    }
    expect(counts).toEqual([
      ...Array.from({ length: 9 }, (_, n) => `us ${n + 1}/${80 + 10 * n} eu 0/60`),
      ...Array(2).fill('us 10/none eu 0/60'),
    ]);
  });

  it('lets a target that fails each second check have one per interval in the long run', () => {
    const story = new Story(configOf(ONE));
    story.step('0 us ok');
    let offGrid = 0;
    const minutes = 200;
    for (let minute = 1; minute <= minutes; minute += 1) {
      story.step(`${minute * 60} us fail`);
      const dueAt = story.state.confirmation?.regions.us?.dueAt ?? null;
      if (dueAt === null) story.step(`${minute * 60 + 30} us ok`);
      else {
        offGrid += 1;
        story.step(`${(dueAt - START) / SECOND} us ok`);
      }
      expect(story.state.status).toBe('operational');
    }
    expect(offGrid).toBe(minutes);
  });

  it('is whole again after as many intervals as checks were used', () => {
    expectRuns(
      ONE,
      `0   us ok   -> operational -
       60  us fail -> operational us 0/70
       70  us fail -> operational us 1/80
       80  us ok   -> operational -
       120 us fail -> operational us 1/130
       130 us ok   -> operational -
       310 us fail -> operational us 0/320`,
    );
  });
});

describe('the schedule', () => {
  const changes = (steps: string[], config: Partial<StateConfig> = THREE) => {
    const story = new Story(configOf(config));
    return steps.map((step) => {
      const before = story.state;
      story.step(step);
      return listOffGridChecks(before, story.state).map(
        ({ region, at }) => `${region} ${(at - START) / SECOND}`,
      );
    });
  };

  it('follows what is due, and returns to the grid where a check is not needed anymore', () => {
    expect(
      changes(['0 us ok', '20 eu ok', '40 ap ok', '60 us fail', '61 ap ok', '70 us ok', '120 us ok']),
    ).toEqual([
      [],
      [],
      [],
      ['us 70', 'eu 60', 'ap 60'],
      ['ap 71'],
      // us has checked since; eu and ap go back to before their last checks.
      ['eu 20', 'ap 61'],
      [],
    ]);
  });
});
