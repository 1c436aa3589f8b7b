import { describe, expect, it } from 'vitest';
import { judgeSilence, silentSince, type WatchedApp } from './watch-silence';

const NOW = new Date('2026-11-20T10:00:00.000Z');
const ago = (seconds: number) => new Date(NOW.getTime() - seconds * 1000);
const quiet: WatchedApp = { wokenAt: ago(30), neglectedSince: null, fallbackSince: null };

describe('a worker watches over Inngest', () => {
  it.each<[string, Partial<WatchedApp>, ReturnType<typeof judgeSilence>]>([
    ['nothing waits, and Inngest woke a moment ago', {}, 'keep'],
    ['work waits that Inngest may still wake for', { neglectedSince: ago(19) }, 'keep'],
    ['work is overdue by 20 s', { neglectedSince: ago(21) }, 'take over'],
    ['no sweep came for a minute and a half, though nothing waits', { wokenAt: ago(91) }, 'take over'],
    [
      'it already wakes the app',
      { wokenAt: ago(300), fallbackSince: ago(100), neglectedSince: ago(30) },
      'keep',
    ],
    ['Inngest has woken the app since then', { wokenAt: ago(5), fallbackSince: ago(100) }, 'hand back'],
  ])('%s', (_, seen, verdict) => {
    expect(judgeSilence({ ...quiet, ...seen }, NOW)).toBe(verdict);
  });

  it('considers Inngest silent only if nothing was woken for longer than a drain takes', () => {
    expect(silentSince({ ...quiet, fallbackSince: ago(5) }, NOW), 'another worker died').toBeNull();
    expect(silentSince({ ...quiet, wokenAt: ago(100) }, NOW), 'late, but it does not stand in').toBeNull();
    const wokenAt = ago(100);
    expect(silentSince({ ...quiet, wokenAt, fallbackSince: ago(5) }, NOW)).toEqual(wokenAt);
  });
});
