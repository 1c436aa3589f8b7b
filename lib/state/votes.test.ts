import { describe, expect, it } from 'vitest';
import { configOf, SECOND, START, Story } from './testing/story';
import { tell } from './testing/tell';
import { transition } from './transition';

const THREE = { regions: ['us', 'eu', 'ap'] };

describe('votes', () => {
  it('are lost when the last result is older than three intervals, and the time after it is unknown', () => {
    const story = tell(
      {},
      `0   us ok  -> operational silent@0
       180 tick   -> operational
       181 tick   -> operational unknown@60
       240 tick   -> operational
       300 us ok  -> operational known@300`,
    );
    expect(story.state.unknownSince).toBeNull();
  });

  it('last longer where the timeout is longer than the interval', () => {
    tell(
      { intervalMs: 30 * SECOND, timeoutMs: 60 * SECOND },
      '0 us ok -> operational silent@0 \n 180 tick -> operational \n 181 tick -> operational unknown@30',
    );
  });

  it('survive checks that take their whole timeout and skip every other slot', () => {
    tell(
      { timeoutMs: 60 * SECOND },
      `0..60.1    us fail -> pending
       120..180.1 us fail -> pending
       240..300.1 us fail -> down monitor.down@0`,
    );
  });

  it('come back without counters: a verdict needs its full run after a gap', () => {
    tell(
      {},
      `0   us ok   -> operational silent@0
       60  us fail -> operational
       120 us fail -> operational
       600 us fail -> operational unknown@180 known@600
       660 us fail -> operational
       720 us fail -> down monitor.down@600`,
    );
  });

  it('come back to a status that stays until a verdict is there, and unknown time is no time down', () => {
    const story = tell(
      { alertThreshold: 1, recoveryThreshold: 2 },
      `0   us fail -> down monitor.down@0
       600 us ok   -> down unknown@60 known@600
       660 us ok   -> operational monitor.up@600`,
    );
    expect(story.lastChange().downtimeMs).toBe(60 * SECOND);
  });

  it('come back with a late result, and nothing is dated back into the unknown time', () => {
    tell(
      { alertThreshold: 1 },
      `0       us ok   -> operational silent@0
       50..185 us fail -> down unknown@60 known@60 monitor.down@60`,
    );
  });

  it('that are lost change the picture, from one interval after the last result', () => {
    tell(
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

  it('of two silent regions leave the third to decide alone', () => {
    tell(
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

  it('go with a region that is taken from the monitor', () => {
    const story = new Story(configOf({ regions: ['us', 'eu'], alertThreshold: 1 }));
    story.told('0 us ok \n 1 eu ok \n 60 us fail \n 61 eu ok');
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
    tell(
      {},
      `0  us ok   -> operational silent@0
       59 tick us -> operational
       60 tick us -> operational unknown@60
       65 tick us -> operational
       90 us ok   -> operational known@90`,
    );
  });

  it('stay for three intervals in a region without a worker while another region reports, which never decides alone sooner', () => {
    tell(
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

  it('are not counted for regions that do not report, once they are awaited no longer', () => {
    const story = tell(
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

  it('of a pending monitor are lost without unknown time, which pending is anyhow', () => {
    tell({}, '0 us fail -> pending \n 500 tick -> pending \n 501 us ok -> operational silent@501');
  });
});
