import type { LiveKind } from '@/lib/schemas/live';
import { type LiveStream, openLiveStream } from './live-stream';

/** How it stands with the stream: while it is `cut`, what happens is not told. */
export type LiveState = 'opening' | 'live' | 'cut';

/** What wants to know of what happens. */
export type LiveListener = {
  onHint: (kinds: LiveKind[]) => void;
  /** `heardAt`: when the stream was last known to be there, by this browser's clock; 0: never. */
  onState: (state: LiveState, heardAt: number) => void;
};

const ADDRESS = '/live/events';
/** A page that is left for another one of the dashboard leaves the stream to it. */
const LINGER_MS = 1000;
/** A window that is looked away from gives its connection back: a browser has six to one address. */
const AWAY_MS = 10_000;

const listeners = new Set<LiveListener>();
let stream: LiveStream | null = null;
let state: LiveState = 'opening';
let heardAt = 0;
let closing: ReturnType<typeof setTimeout> | undefined;

/** Tells a listener of what happens until the answer is called; all of a window share one stream. */
export function listenLive(listener: LiveListener): () => void {
  if (listeners.size === 0) {
    document.addEventListener('visibilitychange', followAttention);
    window.addEventListener('online', hurry);
    window.addEventListener('pagehide', close);
  }
  listeners.add(listener);
  followAttention();
  listener.onState(state, heardAt);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    document.removeEventListener('visibilitychange', followAttention);
    window.removeEventListener('online', hurry);
    window.removeEventListener('pagehide', close);
    closeAfter(LINGER_MS);
  };
}

function followAttention(): void {
  if (document.visibilityState === 'hidden') closeAfter(AWAY_MS);
  else open();
}

function open(): void {
  clearTimeout(closing);
  stream ??= openLiveStream({
    connect: () => new EventSource(ADDRESS),
    onHeard: () => {
      heardAt = Date.now();
    },
    onOpen: () => setState('live'),
    onCut: () => setState('cut'),
    onHint: (kinds) => {
      for (const { onHint } of listeners) onHint(kinds);
    },
  });
}

function closeAfter(ms: number): void {
  clearTimeout(closing);
  closing = setTimeout(close, ms);
}

function close(): void {
  stream?.close();
  stream = null;
  setState('opening');
}

function hurry(): void {
  stream?.hurry();
}

function setState(next: LiveState): void {
  state = next;
  for (const { onState } of listeners) onState(next, heardAt);
}
