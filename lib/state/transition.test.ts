import { describe, expect, it } from 'vitest';
import { initialState, pausedState, restartedState } from './initial-state';
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
