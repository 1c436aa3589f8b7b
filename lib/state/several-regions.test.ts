import { describe, expect, it } from 'vitest';
import { configOf, expectStory, SECOND, START, Story } from './testing/story';

const THREE = { regions: ['us', 'eu', 'ap'] };

describe('a monitor with three regions', () => {
  it('goes down immediately once a quorum fails, back-dated to the second region', () => {
    const story = expectStory(
      { ...THREE, alertThreshold: 2 },
      `0   us ok   -> pending
       10  eu ok   -> operational silent@10
       20  ap ok   -> operational
       60  us fail -> operational
       70  eu fail -> operational
       80  ap fail -> operational
       120 us fail -> operational
       130 eu fail -> down monitor.down@70
       140 ap fail -> down`,
    );
    expect(story.lastChange()).toMatchObject({
      region: 'eu',
      why: { voting: 3, quorum: 2, rule: '2 of 3 regions failed 2 checks in a row: connection refused (eu)' },
    });
  });

  it('shows a failure of one region as degraded once every region has checked again', () => {
    expectStory(
      { ...THREE, alertThreshold: 2 },
      `0   us ok   -> pending
       10  eu ok   -> operational silent@10
       20  ap ok   -> operational
       60  us fail -> operational
       70  eu ok   -> operational
       80  ap ok   -> operational
       120 us fail -> operational
       130 eu ok   -> operational
       140 ap ok   -> degraded monitor.degraded@60
       180 us ok   -> degraded
       190 eu ok   -> degraded
       200 ap ok   -> operational monitor.up@180`,
    );
  });

  it('recovers without passing through degraded, back-dated to the second region', () => {
    const story = expectStory(
      { ...THREE, alertThreshold: 1 },
      `0   us fail -> pending
       10  eu fail -> down monitor.down@10
       20  ap fail -> down
       60  us ok   -> down
       70  eu ok   -> down
       80  ap ok   -> down
       120 us ok   -> down
       130 eu ok   -> operational monitor.up@70`,
    );
    expect(story.lastChange()).toMatchObject({ region: 'eu', downtimeMs: 60 * SECOND });
  });

  it('is degraded after an outage while one region keeps failing', () => {
    const story = expectStory(
      { ...THREE, alertThreshold: 1 },
      `0   us fail -> pending
       10  eu fail -> down monitor.down@10
       20  ap fail -> down
       60  us ok   -> down
       70  eu ok   -> down
       80  ap fail -> down
       120 us ok   -> degraded monitor.degraded@70
       180 us ok   -> degraded
       190 eu ok   -> degraded
       200 ap ok   -> degraded
       240 us ok   -> degraded
       250 eu ok   -> operational monitor.up@200`,
    );
    expect(story.changes()[1]).toMatchObject({
      region: 'ap',
      details: { errorMessage: 'connection refused (ap)' },
    });
    expect(story.lastChange().downtimeMs).toBe(60 * SECOND);
  });

  it('does not mistake a failure that began before the recovery for one after it', () => {
    expectStory(
      { ...THREE, alertThreshold: 1 },
      `0      us fail -> pending
       1      eu fail -> down monitor.down@1
       2      ap fail -> down
       58..88 ap fail -> down
       60     us ok   -> down
       89     eu ok   -> down
       118    ap ok   -> down
       120    us ok   -> down
       149    eu ok   -> operational monitor.up@89`,
    );
  });

  it('is degraded when a quorum is slow, not when one region is', () => {
    expectStory(
      { ...THREE, alertThreshold: 1 },
      `0   us ok   -> pending
       10  eu ok   -> operational silent@10
       20  ap ok   -> operational
       60  us slow -> operational
       70  eu ok   -> operational
       80  ap ok   -> operational
       120 us slow -> operational
       130 eu slow -> operational
       140 ap ok   -> operational
       180 us slow -> degraded monitor.degraded@130
       190 eu ok   -> degraded
       200 ap ok   -> degraded
       240 us slow -> operational monitor.up@190`,
    );
  });

  it('goes from degraded to down, back-dated to the region that completes the quorum', () => {
    const story = expectStory(
      { ...THREE, alertThreshold: 1 },
      `0   us ok   -> pending
       10  eu ok   -> operational silent@10
       20  ap ok   -> operational
       60  us fail -> operational
       70  eu ok   -> operational
       80  ap ok   -> degraded monitor.degraded@60
       130 eu fail -> down monitor.down@130
       140 ap fail -> down
       180 us fail -> down
       190 eu ok   -> down
       200 ap ok   -> down
       240 us ok   -> down
       250 eu ok   -> down
       260 ap ok   -> operational monitor.up@200`,
    );
    expect(story.lastChange()).toMatchObject({ downSince: START + 130 * SECOND, downtimeMs: 70 * SECOND });
  });

  it('reports the q-th largest count as its consecutive failures', () => {
    const story = new Story(configOf({ ...THREE, alertThreshold: 9 }));
    story.run('0 us fail \n 60 us fail \n 61 eu fail \n 62 ap ok \n 120 us fail');
    expect(story.state.consecutiveFailures).toBe(1);
  });

  it('counts a region as failing until it has recovered, even when another one completes the quorum', () => {
    expectStory(
      { ...THREE, alertThreshold: 1, recoveryThreshold: 2 },
      `0   us ok   -> pending
       1   eu ok   -> pending
       2   ap ok   -> pending
       60  us ok   -> pending
       61  eu ok   -> operational silent@1
       62  ap ok   -> operational
       120 us fail -> operational
       180 us ok   -> operational
       181 eu fail -> down monitor.down@181`,
    );
  });

  it('recovers with a quorum, back-dated to the second region that recovered', () => {
    const story = expectStory(
      { ...THREE, alertThreshold: 1, recoveryThreshold: 2 },
      `0   us fail -> pending
       10  eu fail -> down monitor.down@10
       20  ap ok   -> down
       70  eu ok   -> down
       80  ap ok   -> down
       100 us ok   -> down
       130 eu ok   -> down
       140 ap ok   -> down
       160 us ok   -> down
       190 eu ok   -> down
       200 ap ok   -> operational monitor.up@70`,
    );
    expect(story.lastChange().downtimeMs).toBe(60 * SECOND);
  });

  it('does not delay the recovery of targets that alternate between slow and fast', () => {
    expectStory(
      { regions: ['us', 'eu'], alertThreshold: 2 },
      `0   us fail -> pending
       10  eu fail -> pending
       60  us fail -> pending
       70  eu fail -> down monitor.down@10
       120 us slow -> down
       130 eu ok   -> down
       180 us ok   -> operational monitor.up@130`,
    );
  });

  it('waits with two regions for the other one, unless both fail', () => {
    const story = expectStory(
      { regions: ['us', 'eu'], alertThreshold: 1 },
      `0   us ok   -> pending
       10  eu ok   -> operational silent@10
       60  us fail -> operational
       70  eu ok   -> degraded monitor.degraded@60
       130 eu fail -> down monitor.down@130
       180 us fail -> down
       190 eu ok   -> down
       240 us fail -> degraded monitor.degraded@190
       300 us ok   -> degraded
       310 eu ok   -> operational monitor.up@300`,
    );
    expect(story.lastChange().downtimeMs).toBe(60 * SECOND);
  });

  it('adds up the downtime of one incident', () => {
    const story = expectStory(
      { regions: ['us', 'eu'], alertThreshold: 1 },
      `0   us fail -> pending
       10  eu fail -> down monitor.down@10
       60  us ok   -> down
       70  eu fail -> degraded monitor.degraded@60
       120 us fail -> down monitor.down@120
       130 eu fail -> down
       180 us ok   -> down
       190 eu ok   -> down
       240 us ok   -> operational monitor.up@190`,
    );
    expect(story.lastChange()).toMatchObject({
      downSince: START + 10 * SECOND,
      downtimeMs: (50 + 70) * SECOND,
    });
  });

  it('does not pass through degraded when an outage begins while it is pending', () => {
    expectStory(
      { ...THREE, alertThreshold: 3 },
      `0   us fail -> pending
       10  eu ok   -> pending
       20  ap fail -> pending
       60  us fail -> pending
       70  eu fail -> pending
       80  ap fail -> pending
       120 us fail -> pending
       130 eu fail -> pending
       140 ap fail -> down monitor.down@20`,
    );
  });

  it('ends pending once a quorum of the regions that report has a verdict', () => {
    expectStory(
      THREE,
      `0  us fail -> pending
       10 eu fail -> pending
       20 ap ok   -> pending
       70 eu ok   -> operational silent@70`,
    );
  });

  it('leaves pending for degraded when a region has failed from the beginning', () => {
    expectStory(
      { regions: ['us', 'eu'], alertThreshold: 2 },
      `0   us fail -> pending
       10  eu ok   -> pending
       60  us fail -> pending
       70  eu ok   -> degraded monitor.degraded@10`,
    );
  });
});
