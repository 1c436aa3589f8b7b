/** Server-sent events to one reader. */
export type EventStream = {
  response: Response;
  /** Sends an event; `data` is one line. */
  say(event: string, data: string): void;
  end(): void;
};

/** So many events unread by the other end: it is not reading. */
const MOST_UNREAD = 100;

const HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  // Nothing on the way may keep it, or hold it back to compress it.
  'Cache-Control': 'no-store, no-transform',
  'X-Accel-Buffering': 'no',
};

/**
 * Begins a stream that says `beat` at once and every `beatMs`, so that both ends notice when the other is gone. `onOver` is
 * called once, when it was ended from here or left by the reader.
 */
export function createEventStream({ beatMs, onOver }: { beatMs: number; onOver: () => void }): EventStream {
  const encoder = new TextEncoder();
  let controller: ReadableStreamDefaultController<Uint8Array> | null = null;
  let beat: NodeJS.Timeout | undefined;

  const letGo = () => {
    if (controller === null) return;
    controller = null;
    clearInterval(beat);
    onOver();
  };
  const end = () => {
    const ended = controller;
    letGo();
    ended?.close();
  };
  const say = (event: string, data: string) => {
    if (controller === null) return;
    if ((controller.desiredSize ?? 0) < -MOST_UNREAD) return end();
    controller.enqueue(encoder.encode(`event: ${event}\ndata: ${data}\n\n`));
  };
  const body = new ReadableStream<Uint8Array>({
    start: (own) => {
      controller = own;
      say('beat', 'first');
      beat = setInterval(() => say('beat', 'next'), beatMs);
    },
    cancel: letGo,
  });
  return { response: new Response(body, { headers: HEADERS }), say, end };
}
