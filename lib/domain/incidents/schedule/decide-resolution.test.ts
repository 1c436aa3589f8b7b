import { describe, expect, it } from 'vitest';
import { decideResolution, formatQuiet, type SeenMonitor } from './decide-resolution';

const MINUTE = 60_000;
const NOW = new Date('2026-03-10T18:00:00.000Z');
const ago = (minutes: number) => new Date(NOW.getTime() - minutes * MINUTE);
const monitor = (state: SeenMonitor['state'], minutes: number): SeenMonitor => ({
  state,
  since: state === null ? null : ago(minutes),
});

const decide = (sinceMinutes: number, resolveAfterMinutes: number, monitors: SeenMonitor[]) =>
  decideResolution({ since: ago(sinceMinutes), resolveAfterMinutes, monitors }, NOW);

describe('an incident that is monitored', () => {
  it('is resolved once its monitors were operational for the quiet time, and not before', () => {
    expect(decide(30, 30, [monitor('operational', 30), monitor('operational', 500)])).toEqual({
      isQuiet: true,
    });
    expect(decide(60, 30, [monitor('operational', 29)])).toEqual({ isQuiet: false, lookAt: ago(-1) });
    expect(decide(29, 30, [monitor('operational', 500)])).toEqual({ isQuiet: false, lookAt: ago(-1) });
  });

  it.each(['down', 'degraded', 'unknown', 'maintenance', null] as const)(
    'waits while a monitor is %s, and looks again within a minute',
    (state) => {
      const monitors = [monitor('operational', 500), monitor(state, 100)];
      expect(decide(500, 30, monitors)).toEqual({ isQuiet: false, lookAt: ago(-1) });
    },
  );

  it('is quiet from the start without monitors', () => {
    expect(decide(5, 5, [])).toEqual({ isQuiet: true });
    expect(decide(4, 5, [])).toEqual({ isQuiet: false, lookAt: ago(-1) });
  });
});

it('the update tells how long it was quiet', () => {
  expect(formatQuiet(1)).toBe('This incident is resolved: no further problems for 1 minute.');
  expect(formatQuiet(30)).toBe('This incident is resolved: no further problems for 30 minutes.');
});
