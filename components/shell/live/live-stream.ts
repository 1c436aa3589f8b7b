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

export type LiveStream = {
  /** Tries at once where it waits before the next try. */
  hurry(): void;
  close(): void;
};

/** The service says every 5 s that it is there. */
const SILENCE_MS = 12_000;
const PAUSES_MS = [500, 1000, 2000, 5000];
/** Plenty for the page to find out why it was dismissed, and to lead elsewhere. */
const DISMISSED_MS = 10_000;

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
