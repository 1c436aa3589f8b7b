/** A stream of server-sent events being read. */
export type ReadStream = {
  /** The hints received so far. */
  hints(): string[];
  beats(): number;
  /** Whether it asked the reader not to reconnect. */
  isDismissed(): boolean;
  isOver(): boolean;
  leave(): Promise<void>;
};

/** Reads the events of a response as they arrive. */
export function readStream({ body }: Response): ReadStream {
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  const events: { event: string; data: string }[] = [];
  let isOver = false;
  const read = async () => {
    let text = '';
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
      const blocks = (text + part.value).split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) {
        const [, event = '', data = ''] = /^event: (.*)\ndata: (.*)$/.exec(block) ?? [];
        events.push({ event, data });
      }
    }
    isOver = true;
  };
  void read();
  const dataOf = (name: string) => events.filter(({ event }) => event === name).map(({ data }) => data);
  return {
    hints: () => dataOf('hint'),
    beats: () => dataOf('beat').length,
    isDismissed: () => dataOf('dismissed').length > 0,
    isOver: () => isOver,
    leave: async () => reader?.cancel(),
  };
}
