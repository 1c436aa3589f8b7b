import { describe, expect, it } from 'vitest';
import { judgeSilence, silentSince, type Watched } from './watch-silence';

const NOW = new Date('2026-11-20T10:00:00.000Z');
const ago = (seconds: number) => new Date(NOW.getTime() - seconds * 1000);
const quiet: Watched = { wokenAt: ago(30), neglectedSince: null, standsInSince: null };

describe('a worker watches over Inngest', () => {
  it.each<[string, Partial<Watched>, ReturnType<typeof judgeSilence>]>([
    ['nothing waits, and Inngest woke a moment ago', {}, 'go on'],
    ['work waits that Inngest may still wake for', { neglectedSince: ago(19) }, 'go on'],
    ['work is overdue by 20 s', { neglectedSince: ago(21) }, 'stand in'],
    ['no sweep came for a minute and a half, though nothing waits', { wokenAt: ago(91) }, 'stand in'],
    [
      'it stands in already',
      { wokenAt: ago(300), standsInSince: ago(100), neglectedSince: ago(30) },
      'go on',
    ],
    ['Inngest woke since it stands in', { wokenAt: ago(5), standsInSince: ago(100) }, 'step back'],
  ])('%s', (_, seen, verdict) => {
    expect(judgeSilence({ ...quiet, ...seen }, NOW)).toBe(verdict);
  });

  it('calls Inngest silent only where nothing was woken for longer than a drain takes', () => {
    expect(silentSince({ ...quiet, standsInSince: ago(5) }, NOW), 'another worker died').toBeNull();
    expect(silentSince({ ...quiet, wokenAt: ago(100) }, NOW), 'late, but it does not stand in').toBeNull();
    const wokenAt = ago(100);
    expect(silentSince({ ...quiet, wokenAt, standsInSince: ago(5) }, NOW)).toEqual(wokenAt);
  });
});
