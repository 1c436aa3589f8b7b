import { describe, expect, it } from 'vitest';
import { initialState, pausedState, rebuiltState, restartedState } from './initial-state';
import { configOf, resultOf, SECOND, START, Story } from './testing/story';
import { transition } from './transition';

describe('inconclusive inputs', () => {
  it('change nothing: replayed, older, unknown, from another region, or far too late', () => {
    const story = new Story(configOf({ alertThreshold: 1 }));
    story.run('0 us ok \n 60 us ok');
    const before = story.state;
    for (const step of ['60 us fail', '30 us fail', '90 us unknown', '90 mars fail', '61..500 us fail']) {
      expect(story.step(step)).toBe('operational');
      expect(story.state).toBe(before);
    }
  });
});

describe('pausing', () => {
  it('keeps the status and does not count as downtime', () => {
    const story = new Story(configOf({ alertThreshold: 1 }));
    story.step('0 us fail');
    story.state = pausedState(story.state, START + 30 * SECOND);
    expect(story.state.status).toBe('down');
    story.state = restartedState(story.state, START + 600 * SECOND);
    story.step('600 us ok');
    expect(story.lastChange()).toMatchObject({ event: 'monitor.up', downtimeMs: 30 * SECOND });
  });
});

describe('events', () => {
  it('include a recovery after a restart only if the last event was a bad one', () => {
    const story = new Story(configOf({ alertThreshold: 1 }));
    story.run('0 us fail \n 60 us fail');
    story.state = restartedState(story.state, START + 100 * SECOND);
    expect(story.state).toMatchObject({ status: 'pending', consecutiveFailures: 0, regions: {} });
    expect(story.step('120 us ok')).toBe('operational monitor.up@120');
    expect(story.lastChange().downtimeMs).toBe(100 * SECOND);

    story.state = restartedState(story.state, START + 130 * SECOND);
    expect(story.step('180 us ok')).toBe('operational silent@180');
  });

  it('are sent again for a monitor that is still down after a restart', () => {
    const story = new Story(configOf({ alertThreshold: 1 }));
    story.step('0 us fail');
    story.state = restartedState(story.state, START + 100 * SECOND);
    expect(story.step('120 us fail')).toBe('down monitor.down@120');
  });

  it('never date a change before the monitor was created', () => {
    const config = configOf({ alertThreshold: 1 });
    const { effects } = transition(config, initialState(START), resultOf('us', 'fail', START - 1), START);
    expect(effects).toMatchObject([{ since: START, at: START }]);
  });
});

describe('the downtime of a recovery', () => {
  it('begins again after every recovery', () => {
    const story = new Story(configOf({ alertThreshold: 1 }));
    story.run('0 us fail \n 60 us ok \n 120 us fail');
    expect(story.step('150 us ok')).toBe('operational monitor.up@150');
    expect(story.lastChange()).toMatchObject({ downSince: START + 120 * SECOND, downtimeMs: 30 * SECOND });
    expect(story.state).toMatchObject({ lastEvent: 'monitor.up', downSince: null, downMs: 0 });
  });

  it('is without the time in which nothing was known', () => {
    const story = new Story(configOf({ alertThreshold: 1 }));
    story.run('0 us fail \n 300 tick');
    expect(story.step('600 us fail')).toBe('down known@600');
    story.step('630 us ok');
    expect(story.lastChange()).toMatchObject({ downSince: START, downtimeMs: 90 * SECOND });
  });

  it('is none for a monitor that was degraded, also before a restart', () => {
    const story = new Story(configOf());
    story.state = rebuiltState('degraded', START);
    expect(story.step('10 us ok')).toBe('operational monitor.up@10');
    expect(story.lastChange()).toMatchObject({ downSince: null, downtimeMs: 0 });
  });

  it('is dated from the restart for a monitor whose state was lost while it was down', () => {
    const story = new Story(configOf());
    story.state = rebuiltState('down', START);
    expect(story.step('10 us ok')).toBe('operational monitor.up@10');
    expect(story.lastChange()).toMatchObject({ downSince: START, downtimeMs: 0 });
  });
});

describe('the region of an event', () => {
  const three = configOf({ regions: ['us', 'eu', 'ap'], alertThreshold: 1 });
  const regionAfter = (...steps: string[]) => {
    const story = new Story(three);
    for (const step of steps) story.step(step);
    return story.lastChange();
  };

  it('is the one that reported, if its result agrees', () => {
    const change = regionAfter('0 us fail', '5 ap ok', '1 eu fail');
    expect(change).toMatchObject({ to: 'down', region: 'eu' });
    expect(change.details).toEqual({
      consecutiveFailures: 1,
      responseTime: null,
      statusCode: null,
      errorMessage: 'connection refused (eu)',
    });
  });

  it('is the latest one that agrees if the reporter does not', () => {
    expect(regionAfter('0 us ok', '1 eu ok', '2 ap ok', '60 us fail', '61 eu ok', '62 ap ok')).toMatchObject({
      to: 'degraded',
      region: 'us',
    });
  });

  it('is a slow one if the monitor is slow', () => {
    const begun = ['0 us ok', '1 eu ok', '2 ap ok', '60 us slow', '61 eu slow', '62 ap ok', '120 us slow'];
    expect(regionAfter(...begun)).toMatchObject({
      to: 'degraded',
      region: 'us',
      details: {
        responseTime: 6000,
        statusCode: 200,
        errorMessage: 'responded in 6000 ms, slower than 5000 ms',
      },
    });
  });

  it('is any that succeeded after a recovery, slow or not, without an error', () => {
    const config = configOf({ alertThreshold: 2 });
    const story = new Story(config);
    story.run('0 us fail \n 60 us fail \n 120 us slow');
    expect(story.lastChange()).toMatchObject({
      to: 'operational',
      region: 'us',
      details: { responseTime: 6000, errorMessage: null },
    });
  });
});

describe('a result that is recorded late', () => {
  it('belongs to the round in which it ended: the other regions are still awaited', () => {
    const story = new Story(configOf({ regions: ['us', 'eu', 'ap'], alertThreshold: 1 }));
    expect(story.step('0..170 us fail')).toBe('pending');
    expect(story.step('106 tick'), 'after the round it decides alone').toBe('down monitor.down@0');
  });

  it('counts until its end is three intervals ago', () => {
    const story = new Story(configOf({ alertThreshold: 1 }));
    expect(story.step('0..210 us fail')).toBe('down monitor.down@0');
    const late = new Story(configOf({ alertThreshold: 1 }));
    expect(late.step('0..211 us fail')).toBe('pending');
  });
});
