import { describe, expect, it } from 'vitest';
import { configOf, expectStory, MINUTE, resultOf, SECOND, START, Story } from './testing/story';

describe('a monitor with one region', () => {
  it('leaves pending with the first good check, silently', () => {
    expectStory({}, '0 us ok -> operational silent@0');
  });

  it('goes down with the third failure in a row, back-dated to the first', () => {
    const story = expectStory(
      {},
      `0   us ok   -> operational silent@0
       60  us fail -> operational
       120 us fail -> operational
       180 us fail -> down monitor.down@60
       240 us fail -> down
       300 us ok   -> operational monitor.up@300`,
    );
    expect(story.lastChange()).toMatchObject({
      at: START + 300 * SECOND,
      downSince: START + 60 * SECOND,
      downtimeMs: 240 * SECOND,
      details: { consecutiveFailures: 0, responseTime: 100, statusCode: 200, errorMessage: null },
    });
  });

  it('restarts the count after any success, even a slow one', () => {
    expectStory(
      {},
      `0   us ok   -> operational silent@0
       60  us fail -> operational
       120 us fail -> operational
       180 us slow -> operational
       240 us fail -> operational
       300 us fail -> operational
       360 us fail -> down monitor.down@240`,
    );
  });

  it('goes from pending to down with monitor.down', () => {
    const story = expectStory(
      {},
      `0   us fail -> pending
       60  us fail -> pending
       120 us fail -> down monitor.down@0`,
    );
    expect(story.lastChange()).toMatchObject({
      region: 'us',
      details: { consecutiveFailures: 3, errorMessage: 'connection refused (us)', statusCode: null },
    });
  });

  it('goes down with the first failure if the alert threshold is 1', () => {
    expectStory(
      { alertThreshold: 1 },
      '0 us ok -> operational silent@0 \n 60..90 us fail -> down monitor.down@60',
    );
  });

  it('goes from pending to degraded with monitor.degraded', () => {
    expectStory(
      { alertThreshold: 2, recoveryThreshold: 3 },
      `0  us slow -> pending
       60 us slow -> degraded monitor.degraded@0`,
    );
  });

  it('is operational while it counts slow checks, and degraded from the first of them', () => {
    expectStory(
      {},
      `0   us slow -> operational silent@0
       60  us ok   -> operational
       120 us slow -> operational
       180 us slow -> operational
       240 us slow -> degraded monitor.degraded@120
       300 us ok   -> operational monitor.up@300`,
    );
  });

  it('needs consecutive fast checks to leave slow', () => {
    expectStory(
      { alertThreshold: 1, recoveryThreshold: 2 },
      `0   us slow -> degraded monitor.degraded@0
       60  us ok   -> degraded
       120 us slow -> degraded
       180 us ok   -> degraded
       240 us ok   -> operational monitor.up@180`,
    );
  });

  it('recovers from down with slow checks too, and is degraded only if they continue', () => {
    expectStory(
      { alertThreshold: 3 },
      `0   us fail -> pending
       60  us fail -> pending
       120 us fail -> down monitor.down@0
       180 us slow -> operational monitor.up@180
       240 us slow -> operational
       300 us slow -> degraded monitor.degraded@180`,
    );
  });

  it('goes straight from down to degraded when slow is confirmed before good', () => {
    expectStory(
      { alertThreshold: 1, recoveryThreshold: 2 },
      `0   us fail -> down monitor.down@0
       60  us slow -> degraded monitor.degraded@60`,
    );
    expectStory(
      { alertThreshold: 2, recoveryThreshold: 2 },
      `0   us fail -> pending
       60  us fail -> down monitor.down@0
       120 us slow -> down
       180 us slow -> degraded monitor.degraded@120`,
    );
  });

  it('mixes slow and fast checks into one recovery', () => {
    expectStory(
      { alertThreshold: 3, recoveryThreshold: 3 },
      `0   us fail -> pending
       60  us fail -> pending
       120 us fail -> down monitor.down@0
       180 us slow -> down
       240 us ok   -> down
       300 us fail -> down
       360 us ok   -> down
       420 us slow -> down
       480 us slow -> operational monitor.up@360`,
    );
  });

  it('goes from degraded to down, and counts only the latter as downtime', () => {
    const story = expectStory(
      { alertThreshold: 2 },
      `0   us ok   -> operational silent@0
       60  us slow -> operational
       120 us slow -> degraded monitor.degraded@60
       180 us fail -> degraded
       240 us fail -> down monitor.down@180
       300 us slow -> operational monitor.up@300`,
    );
    expect(story.lastChange().downtimeMs).toBe(120 * SECOND);
  });

  it('has no downtime when it was only degraded', () => {
    const story = expectStory(
      { alertThreshold: 1 },
      `0  us slow -> degraded monitor.degraded@0
       60 us ok   -> operational monitor.up@60`,
    );
    expect(story.lastChange()).toMatchObject({ downSince: null, downtimeMs: 0 });
  });

  it('treats a certificate about to expire as slow', () => {
    const story = new Story(configOf({ alertThreshold: 1, tlsExpiryDays: 14 }));
    const certificateExpiresAt = new Date(START + 14 * 1440 * MINUTE + MINUTE);
    story.feed({ ...resultOf('us', 'ok', START), certificateExpiresAt }, START);
    expect(story.state.status).toBe('operational');
    story.feed({ ...resultOf('us', 'ok', START + MINUTE), certificateExpiresAt }, START + MINUTE);
    expect(story.lastChange()).toMatchObject({
      to: 'degraded',
      details: { responseTime: 100, errorMessage: 'the certificate expires in 14 days' },
      why: { rule: 'us found a problem in a check: the certificate expires in 14 days' },
    });
  });
});
