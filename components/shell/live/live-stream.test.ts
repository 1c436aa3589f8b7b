import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openLiveStream, type Source } from './live-store';

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** A stream over sources that the test speaks for, the newest of them through `say`. */
function begin() {
  const sources: { say: (type: string, data?: string) => void; isClosed: boolean }[] = [];
  const connect = (): Source => {
    const listeners = new Map<string, (event: { data?: string }) => void>();
    const say = (type: string, data = '') => listeners.get(type)?.({ data });
    const source = { say, isClosed: false };
    sources.push(source);
    return {
      addEventListener: (type, listener) => void listeners.set(type, listener),
      close: () => {
        source.isClosed = true;
      },
    };
  };
  const told: string[] = [];
  const stream = openLiveStream({
    connect,
    onHeard: () => {},
    onHint: (kinds) => told.push(kinds.join('+')),
    onOpen: () => told.push('open'),
    onCut: () => told.push('cut'),
  });
  const say = (type: string, data?: string) => sources.at(-1)?.say(type, data);
  return { stream, sources, told, say };
}

it('tells when it is open, what is hinted at, and when it is cut', () => {
  const { told, say } = begin();
  say('open');
  say('hint', 'changes,results');
  say('hint', 'results,something-new');
  say('error');
  expect(told).toEqual(['open', 'changes+results', 'results', 'cut']);
});

it('is opened again, at once and then with growing pauses', () => {
  const { sources, say } = begin();
  say('open');
  for (const pause of [500, 1000, 2000, 5000, 5000]) {
    const before = sources.length;
    say('error');
    vi.advanceTimersByTime(pause - 1);
    expect(sources).toHaveLength(before);
    vi.advanceTimersByTime(1);
    expect(sources).toHaveLength(before + 1);
  }
  expect(sources.filter(({ isClosed }) => !isClosed)).toHaveLength(1);
});

it('that falls silent counts as cut, for a dead connection says nothing', () => {
  const { sources, told, say } = begin();
  say('open');
  for (let beat = 0; beat < 10; beat++) {
    vi.advanceTimersByTime(5000);
    say('beat', 'next');
  }
  expect(told).toEqual(['open']);
  vi.advanceTimersByTime(12_000);
  expect(told).toEqual(['open', 'cut']);
  expect(sources[0]?.isClosed).toBe(true);
});

it('that is dismissed makes the page ask, and does not knock at once', () => {
  const { sources, told, say } = begin();
  say('open');
  say('dismissed', 'session');
  say('error');
  vi.advanceTimersByTime(9_999);
  expect(told).toEqual(['open', 'changes+deliveries+results']);
  expect([sources.length, sources[0]?.isClosed]).toEqual([1, true]);
  vi.advanceTimersByTime(1);
  expect(sources).toHaveLength(2);
});

it('waits no longer when it is told to hurry', () => {
  const { stream, sources, say } = begin();
  for (let failure = 0; failure < 4; failure++) {
    say('error');
    vi.advanceTimersByTime(5000);
  }
  say('error');
  const before = sources.length;
  stream.hurry();
  vi.advanceTimersByTime(0);
  expect(sources).toHaveLength(before + 1);
});

it('is over once it is closed, whatever the connection still says', () => {
  const { stream, sources, told, say } = begin();
  say('open');
  stream.close();
  say('hint', 'changes');
  say('error');
  vi.advanceTimersByTime(60_000);
  expect(told).toEqual(['open']);
  expect([sources.length, sources[0]?.isClosed]).toEqual([1, true]);
});
