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

/** A stream over fake sources; `emit` sends an event from the newest one. */
function begin() {
  const sources: { emit: (type: string, data?: string) => void; isClosed: boolean }[] = [];
  const connect = (): Source => {
    const listeners = new Map<string, (event: { data?: string }) => void>();
    const emit = (type: string, data = '') => listeners.get(type)?.({ data });
    const source = { emit, isClosed: false };
    sources.push(source);
    return {
      addEventListener: (type, listener) => void listeners.set(type, listener),
      close: () => {
        source.isClosed = true;
      },
    };
  };
  const events: string[] = [];
  const stream = openLiveStream({
    connect,
    onHeard: () => {},
    onHint: (kinds) => events.push(kinds.join('+')),
    onOpen: () => events.push('open'),
    onCut: () => events.push('cut'),
  });
  const emit = (type: string, data?: string) => sources.at(-1)?.emit(type, data);
  return { stream, sources, events, emit };
}

it('reports when it opens, what changed, and when it is cut', () => {
  const { events, emit } = begin();
  emit('open');
  emit('hint', 'changes,results');
  emit('hint', 'results,something-new');
  emit('error');
  expect(events).toEqual(['open', 'changes+results', 'results', 'cut']);
});

it('reconnects with growing pauses', () => {
  const { sources, emit } = begin();
  emit('open');
  for (const pause of [500, 1000, 2000, 5000, 5000]) {
    const before = sources.length;
    emit('error');
    vi.advanceTimersByTime(pause - 1);
    expect(sources).toHaveLength(before);
    vi.advanceTimersByTime(1);
    expect(sources).toHaveLength(before + 1);
  }
  expect(sources.filter(({ isClosed }) => !isClosed)).toHaveLength(1);
});

it('is cut when it goes silent, because a dead connection sends no error', () => {
  const { sources, events, emit } = begin();
  emit('open');
  for (let beat = 0; beat < 10; beat++) {
    vi.advanceTimersByTime(5000);
    emit('beat', 'next');
  }
  expect(events).toEqual(['open']);
  vi.advanceTimersByTime(12_000);
  expect(events).toEqual(['open', 'cut']);
  expect(sources[0]?.isClosed).toBe(true);
});

it('refreshes the page when dismissed, and does not reconnect right away', () => {
  const { sources, events, emit } = begin();
  emit('open');
  emit('dismissed', 'session');
  emit('error');
  vi.advanceTimersByTime(9_999);
  expect(events).toEqual(['open', 'changes+deliveries+results+probes']);
  expect([sources.length, sources[0]?.isClosed]).toEqual([1, true]);
  vi.advanceTimersByTime(1);
  expect(sources).toHaveLength(2);
});

it('skips the pause to reconnect now', () => {
  const { stream, sources, emit } = begin();
  for (let failure = 0; failure < 4; failure++) {
    emit('error');
    vi.advanceTimersByTime(5000);
  }
  emit('error');
  const before = sources.length;
  stream.reconnectNow();
  vi.advanceTimersByTime(0);
  expect(sources).toHaveLength(before + 1);
});

it('ignores the connection once it is closed', () => {
  const { stream, sources, events, emit } = begin();
  emit('open');
  stream.close();
  emit('hint', 'changes');
  emit('error');
  vi.advanceTimersByTime(60_000);
  expect(events).toEqual(['open']);
  expect([sources.length, sources[0]?.isClosed]).toEqual([1, true]);
});
