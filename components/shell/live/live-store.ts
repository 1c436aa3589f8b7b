import { LIVE_KINDS, type LiveKind, parseLiveKinds } from '@/lib/schemas/live';

/** The part of the browser's EventSource that is needed, so that tests bring their own. */
export type Source = Pick<EventSource, 'close'> & {
  addEventListener(type: string, listener: (event: { data?: string }) => void): void;
};

type Options = {
  connect: () => Source;
  /** It is known to be there at this moment. */
  onHeard: () => void;
  onHint: (kinds: LiveKind[]) => void;
  /** The stream is there: from now on every change is told. */
  onOpen: () => void;
  /** It is not, or no more; it is tried again. */
  onCut: () => void;
};

type LiveStream = {
  /** Tries at once where it waits before the next try. */
  hurry(): void;
  close(): void;
};

/** The service says every 5 s that it is there. */
const SILENCE_MS = 12_000;

const PAUSES_MS = [500, 1000, 2000, 5000];

/** Plenty for the page to find out why it was dismissed, and to lead elsewhere. */
const DISMISSED_MS = 10_000;

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

/** Holds a stream of hints open until it is closed, whatever becomes of the connection. */
export function openLiveStream({ connect, onHeard, onHint, onOpen, onCut }: Options): LiveStream {
  let source: Source | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;

  const wait = (ms: number, then: () => void) => {
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
      // The page asks for itself, and is led to where the visitor may be.
      onHint([...LIVE_KINDS]);
      wait(DISMISSED_MS, begin);
    });
    listen('error', fail);
    wait(SILENCE_MS, fail);
  };

  const hear = () => {
    wait(SILENCE_MS, fail);
    onHeard();
  };

  const fail = () => {
    source?.close();
    source = null;
    onCut();
    const pause = PAUSES_MS[Math.min(failures, PAUSES_MS.length - 1)] ?? 0;
    // Not all windows at once when a service is back.
    wait(pause * (0.5 + Math.random()), begin);
    failures += 1;
  };

  begin();
  return {
    hurry: () => {
      if (source === null) wait(0, begin);
    },
    close: () => {
      clearTimeout(timer);
      source?.close();
      source = null;
    },
  };
}
