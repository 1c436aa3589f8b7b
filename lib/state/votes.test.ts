import { describe, expect, it } from 'vitest';
import { configOf, expectStory, SECOND, START, Story } from './testing/story';
import { transition } from './transition';

const THREE = { regions: ['us', 'eu', 'ap'] };

describe('votes', () => {
  it('are lost when the last result is older than three intervals, which starts an unknown period', () => {
    const story = expectStory(
      {},
      `0   us ok  -> operational silent@0
       180 tick   -> operational
       181 tick   -> operational unknown@60
       240 tick   -> operational
       300 us ok  -> operational known@300`,
    );
    expect(story.state.unknownSince).toBeNull();
  });

  it('last longer if the timeout exceeds the interval', () => {
    expectStory(
      { intervalMs: 30 * SECOND, timeoutMs: 60 * SECOND },
      '0 us ok -> operational silent@0 \n 180 tick -> operational \n 181 tick -> operational unknown@30',
    );
  });

  it('survive checks that take their whole timeout and skip every other slot', () => {
    expectStory(
      { timeoutMs: 60 * SECOND },
      `0..60.1    us fail -> pending
       120..180.1 us fail -> pending
       240..300.1 us fail -> down monitor.down@0`,
    );
  });

  it('return without counters: a verdict needs a full run after a gap', () => {
    expectStory(
      {},
      `0   us ok   -> operational silent@0
       60  us fail -> operational
       120 us fail -> operational
       600 us fail -> operational unknown@180 known@600
       660 us fail -> operational
       720 us fail -> down monitor.down@600`,
    );
  });

  it('return to a status that stays until there is a verdict, and unknown time is not downtime', () => {
    const story = expectStory(
      { alertThreshold: 1, recoveryThreshold: 2 },
      `0   us fail -> down monitor.down@0
       600 us ok   -> down unknown@60 known@600
       660 us ok   -> operational monitor.up@600`,
    );
    expect(story.lastChange().downtimeMs).toBe(60 * SECOND);
  });

  it('return with a late result, and nothing is back-dated into the unknown period', () => {
    expectStory(
      { alertThreshold: 1 },
      `0       us ok   -> operational silent@0
       50..185 us fail -> down unknown@60 known@60 monitor.down@60`,
    );
  });

  it('that are lost change the aggregate status, from one interval after the last result', () => {
    expectStory(
      { regions: ['us', 'eu', 'ap'], alertThreshold: 1 },
      `0   us ok   -> pending
       1   eu ok   -> operational silent@1
       2   ap ok   -> operational
       60  us fail -> operational
       61  eu ok   -> operational
       62  ap ok   -> degraded monitor.degraded@60
       121 eu ok   -> degraded
       122 ap ok   -> degraded
       181 eu ok   -> degraded
       182 ap ok   -> degraded
       241 eu ok   -> operational monitor.up@120`,
    );
  });

  it('of two silent regions are lost, and the third decides alone', () => {
    expectStory(
      { regions: ['us', 'eu', 'ap'], alertThreshold: 1 },
      `0   us ok   -> pending
       1   eu ok   -> operational silent@1
       2   ap ok   -> operational
       60  us fail -> operational
       120 us fail -> operational
       180 us fail -> operational
       240 us fail -> down monitor.down@62`,
    );
  });

  it('are dropped with a region that is removed from the monitor', () => {
    const story = new Story(configOf({ regions: ['us', 'eu'], alertThreshold: 1 }));
    story.run('0 us ok \n 1 eu ok \n 60 us fail \n 61 eu ok');
    expect(story.state.status).toBe('degraded');
    const after = transition(
      configOf({ regions: ['eu'] }),
      story.state,
      { kind: 'tick' },
      START + 70 * SECOND,
    );
    expect(after.state.status).toBe('operational');
    expect(Object.keys(after.state.regions)).toEqual(['eu']);
    expect(after.effects).toMatchObject([{ event: 'monitor.up', since: START + 70 * SECOND }]);
  });

  it('are lost in a region without a worker once its next result is overdue, not before', () => {
    expectStory(
      {},
      `0  us ok   -> operational silent@0
       59 tick us -> operational
       60 tick us -> operational unknown@60
       65 tick us -> operational
       90 us ok   -> operational known@90`,
    );
  });

  it('stay for three intervals in a region without a worker while another region reports, which never decides alone sooner', () => {
    expectStory(
      { regions: ['us', 'eu'], alertThreshold: 1 },
      `0  us ok   -> pending
       1  eu ok   -> operational silent@1
       61 us ok   -> operational
       65 tick eu -> operational
       120 us fail -> operational
       180 us fail -> operational
       240 us fail -> down monitor.down@120`,
    );
  });

  it('do not count for regions that never report, once they are no longer awaited', () => {
    const story = expectStory(
      THREE,
      `0   eu ok -> pending
       60  eu ok -> pending
       120 eu ok -> operational silent@0`,
    );
    expect(story.lastChange().why).toMatchObject({ voting: 1, quorum: 1 });
    expect(story.lastChange().why.regions.map(({ region, vote }) => [region, vote])).toEqual([
      ['us', false],
      ['eu', true],
      ['ap', false],
    ]);
  });

  it('of a pending monitor are lost without an unknown period, since pending already is unknown', () => {
    expectStory({}, '0 us fail -> pending \n 500 tick -> pending \n 501 us ok -> operational silent@501');
  });
});
