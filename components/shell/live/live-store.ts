import { LIVE_KINDS, type LiveKind, parseLiveKinds } from '@/lib/schemas/live';

/** The used part of the browser's EventSource; tests bring their own. */
export type Source = Pick<EventSource, 'close'> & {
  addEventListener(type: string, listener: (event: { data?: string }) => void): void;
};

/** The state of the stream. While it is `cut`, changes are missed. */
export type LiveState = 'opening' | 'live' | 'cut';

type LiveListener = {
  onHint: (kinds: LiveKind[]) => void;
  /** `heardAt`: when the stream was last known to be alive, by this browser's clock; 0: never. */
  onState: (state: LiveState, heardAt: number) => void;
};

const URL_PATH = '/live/events';
/** Keeps the stream open while navigating within the dashboard. */
const LINGER_MS = 1000;
/** Hidden windows release their connection, because browsers allow only six per host. */
const HIDDEN_MS = 10_000;

const listeners = new Set<LiveListener>();
let stream: ReturnType<typeof openLiveStream> | null = null;
let state: LiveState = 'opening';
let heardAt = 0;
/** Removes the listeners of the window. */
let removal = new AbortController();
let closing: ReturnType<typeof setTimeout> | undefined;

/** Adds a listener and returns the function that removes it. All listeners of a window share one stream. */
export function listenLive(listener: LiveListener): () => void {
  if (listeners.size === 0) {
    const { signal } = removal;
    document.addEventListener('visibilitychange', followVisibility, { signal });
    window.addEventListener('online', () => stream?.reconnectNow(), { signal });
    window.addEventListener('pagehide', close, { signal });
  }
  listeners.add(listener);
  followVisibility();
  listener.onState(state, heardAt);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    removal.abort();
    removal = new AbortController();
    closeAfter(LINGER_MS);
  };
}

function followVisibility(): void {
  if (document.visibilityState === 'hidden') closeAfter(HIDDEN_MS);
  else open();
}

function open(): void {
  clearTimeout(closing);
  stream ??= openLiveStream({
    connect: () => new EventSource(URL_PATH),
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

function setState(next: LiveState): void {
  state = next;
  for (const { onState } of listeners) onState(next, heardAt);
}

type Options = {
  connect: () => Source;
  /** The stream is known to be alive. */
  onHeard: () => void;
  onHint: (kinds: LiveKind[]) => void;
  /** From now on, every change is reported. */
  onOpen: () => void;
  /** The connection was lost; it is retried. */
  onCut: () => void;
};

/** The service sends a beat every 5 seconds. */
const SILENCE_MS = 12_000;
const PAUSES_MS = [500, 1000, 2000, 5000];
/** Enough time for the page to find out why the stream was dismissed, and to redirect. */
const DISMISSED_MS = 10_000;

/** Keeps a stream of hints open until it is closed, reconnecting as needed. */
export function openLiveStream({ connect, onHeard, onHint, onOpen, onCut }: Options) {
  let source: Source | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;

  const schedule = (ms: number, then: () => void) => {
    clearTimeout(timer);
    timer = setTimeout(then, ms);
  };

  const begin = () => {
    const own = connect();
    source = own;
    const listen = (type: string, take: (data: string) => void) =>
      own.addEventListener(type, ({ data = '' }) => {
        if (source === own) take(data);
      });
    listen('open', () => {
      failures = 0;
      hear();
      onOpen();
    });
    listen('beat', hear);
    listen('hint', (data) => {
      hear();
      onHint(parseLiveKinds(data));
    });
    listen('dismissed', () => {
      source?.close();
      source = null;
      // The page refreshes and is redirected if its session has ended.
      onHint([...LIVE_KINDS]);
      schedule(DISMISSED_MS, begin);
    });
    listen('error', fail);
    schedule(SILENCE_MS, fail);
  };

  const hear = () => {
    schedule(SILENCE_MS, fail);
    onHeard();
  };

  const fail = () => {
    source?.close();
    source = null;
    onCut();
    const pause = PAUSES_MS[Math.min(failures, PAUSES_MS.length - 1)] ?? 0;
    // Random, so that not all windows reconnect at once when a service is back.
    schedule(pause * (0.5 + Math.random()), begin);
    failures += 1;
  };

  begin();
  return {
    /** Skips the pause before the next attempt. */
    reconnectNow: () => {
      if (source === null) schedule(0, begin);
    },
    close: () => {
      clearTimeout(timer);
      source?.close();
      source = null;
    },
  };
}
