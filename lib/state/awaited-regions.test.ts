import { describe, expect, it } from 'vitest';
import { restartedState } from './initial-state';
import { configOf, expectStory, SECOND, START, Story } from './testing/story';
import { parseMonitorState } from './types';

const THREE = { regions: ['us', 'eu', 'ap'], alertThreshold: 1 };

describe('after creation, every configured region counts until it has reported', () => {
  it('the first of three regions never decides alone', () => {
    const story = expectStory(
      THREE,
      `0   us fail -> pending
       1   eu ok   -> pending
       2   ap ok   -> pending
       60  us fail -> pending
       61  eu ok   -> degraded monitor.degraded@1`,
    );
    expect(story.lastChange().why).toMatchObject({
      voting: 3,
      quorum: 2,
      rule: '1 of 3 regions is failing: connection refused (us)',
    });
  });

  it('the second region completes the quorum', () => {
    const story = expectStory(
      THREE,
      `0 us fail -> pending
       1 eu fail -> down monitor.down@1`,
    );
    expect(story.lastChange().why).toMatchObject({
      voting: 3,
      quorum: 2,
      rule: '2 of 3 regions failed a check: connection refused (eu)',
    });
  });

  it('a first good check does not decide alone either', () => {
    expectStory(
      THREE,
      `0 us ok   -> pending
       1 eu fail -> pending
       2 ap fail -> down monitor.down@2`,
    );
  });

  it('consecutive failures are those of a quorum', () => {
    const story = new Story(configOf({ ...THREE, alertThreshold: 3 }));
    story.run('0 us fail \n 60 us fail');
    expect(story.state.consecutiveFailures).toBe(0);
    story.step('61 eu fail');
    expect(story.state.consecutiveFailures).toBe(1);
  });

  it('for one interval, one timeout and 15 s after the first check began; then the reporting regions decide', () => {
    const story = expectStory(
      THREE,
      `0..30 us fail -> pending
       60    us fail -> pending
       104   us fail -> pending
       105   us fail -> down monitor.down@0`,
    );
    expect(story.lastChange().why).toMatchObject({ voting: 1, quorum: 1 });
    expect(story.lastChange().why.regions.map(({ region, vote }) => [region, vote])).toEqual([
      ['us', true],
      ['eu', false],
      ['ap', false],
    ]);
  });

  it('until time alone ends the wait', () => {
    expectStory(
      THREE,
      `0   us fail -> pending
       104 tick    -> pending
       105 tick    -> down monitor.down@0`,
    );
  });

  it('counted from the first check that began, not from the first that reported', () => {
    expectStory(
      THREE,
      `5     eu fail -> pending
       0..20 us ok   -> pending
       65    us ok   -> pending
       104   tick    -> pending
       105   tick    -> degraded monitor.degraded@5`,
    );
  });

  it('however late results are recorded: a check counts at the time it ended', () => {
    expectStory(
      THREE,
      `0..170 us fail -> pending
       1..170 eu ok   -> pending
       2..170 ap ok   -> pending`,
    );
  });

  it('an inconclusive check neither reports nor starts the wait', () => {
    expectStory(
      THREE,
      `0   us unknown -> pending
       100 eu fail    -> pending
       200 us unknown -> pending
       204 eu fail    -> pending
       205 eu fail    -> down monitor.down@100`,
    );
  });
});

describe('every configured region counts again', () => {
  it('after a resume, or a change of the probe configuration', () => {
    const story = expectStory(
      THREE,
      `0  us ok -> pending
       1  eu ok -> operational silent@1
       2  ap ok -> operational`,
    );
    story.state = restartedState(story.state, START + 100 * SECOND);
    expect(story.step('100 ap fail')).toBe('pending');
    expect(story.step('101 us ok')).toBe('pending');
    expect(story.step('102 eu ok')).toBe('pending');
    expect(story.step('160 ap fail')).toBe('pending');
    expect(story.step('161 us ok')).toBe('degraded monitor.degraded@101');
  });

  it('after a gap in which no region had a vote', () => {
    expectStory(
      THREE,
      `0   us ok   -> pending
       1   eu ok   -> operational silent@1
       2   ap ok   -> operational
       600 us fail -> operational unknown@62 known@600
       601 eu ok   -> operational
       602 ap ok   -> operational
       660 us fail -> operational
       661 eu ok   -> degraded monitor.degraded@601`,
    );
  });

  it('after a gap in which no region reported for a full round, even if one still has its vote', () => {
    expectStory(
      THREE,
      `0   us ok   -> pending
       1   eu ok   -> operational silent@1
       50  ap ok   -> operational
       200 ap fail -> operational
       201 us ok   -> operational
       202 eu ok   -> operational
       260 ap fail -> operational
       261 us ok   -> degraded monitor.degraded@201`,
    );
  });

  it('but not while one region keeps reporting: it decides alone once the others have lost their votes', () => {
    expectStory(
      THREE,
      `0   us ok   -> pending
       1   eu ok   -> operational silent@1
       2   ap ok   -> operational
       60  us ok   -> operational
       120 us ok   -> operational
       180 us ok   -> operational
       240 us fail -> down monitor.down@240`,
    );
  });

  it('so an outage lasts until a quorum of them has recovered', () => {
    expectStory(
      THREE,
      `0   us fail -> pending
       1   eu fail -> down monitor.down@1
       2   ap fail -> down
       600 us ok   -> down unknown@62 known@600
       601 eu fail -> down
       602 ap fail -> down
       660 us ok   -> down
       661 eu ok   -> down
       662 ap ok   -> down
       720 us ok   -> down
       721 eu ok   -> operational monitor.up@661`,
    );
  });
});

describe('a state stored by an older version', () => {
  it('decides with the votes it has', () => {
    const { firstCheckAt: _, ...stored } = new Story(configOf(THREE)).state;
    const known = parseMonitorState({ ...stored, status: 'operational' });
    expect(known.firstCheckAt).toBeNull();
  });

  it('waits for every region while it is pending', () => {
    const story = new Story(configOf(THREE));
    story.step('0 us ok');
    const { firstCheckAt: _, ...stored } = story.state;
    story.state = parseMonitorState(JSON.parse(JSON.stringify(stored)));
    expect(story.step('1 eu fail')).toBe('pending');
    expect(story.step('2 ap fail')).toBe('down monitor.down@2');
  });
});
