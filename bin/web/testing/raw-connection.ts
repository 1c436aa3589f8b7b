import { once } from 'node:events';
import { connect } from 'node:net';
import { WAIT_MS } from '@/bin/testing/patience.mjs';

/** A TCP connection to a server, for requests that no HTTP client would send. */
export type RawConnection = {
  /** Resolves when the kernel has accepted all of it; rejects if the connection is lost first. */
  send(bytes: string | Buffer): Promise<void>;
  /** Everything received so far. */
  received(): string;
  /** Resolves with everything received as soon as it matches; rejects once patience ends, or when the connection ends without it. */
  waitFor(pattern: RegExp): Promise<string>;
  /** Resolves when the server has closed the connection; rejects once patience ends. */
  waitForEnd(): Promise<void>;
  /** Stops reading. */
  pause(): void;
  /** Disconnects like a killed process. */
  reset(): void;
  close(): void;
};

/** Connects; this end stays open when the other one closes, like an inattentive client. */
export async function connectRaw(port: number, host = '127.0.0.1'): Promise<RawConnection> {
  const socket = connect({ port, host, allowHalfOpen: true });
  let received = '';
  let isOver = false;
  const over = () => {
    isOver = true;
  };
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    received += chunk;
  });
  socket.on('end', over).on('close', over);
  await once(socket, 'connect');
  socket.on('error', over);

  const wait = async (isDone: () => boolean, what: string) => {
    const until = performance.now() + WAIT_MS;
    while (!isDone()) {
      if (performance.now() > until) {
        throw new Error(`no ${what} within ${WAIT_MS} ms; received: ${received.slice(0, 500)}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };
  return {
    send: (bytes) =>
      new Promise((resolve, reject) => {
        socket.write(bytes, (error) => (error ? reject(error) : resolve()));
      }),
    received: () => received,
    waitFor: async (pattern) => {
      await wait(() => isOver || pattern.test(received), `${pattern}`);
      if (!pattern.test(received)) throw new Error(`closed without ${pattern}; received: ${received}`);
      return received;
    },
    waitForEnd: () => wait(() => isOver, 'end'),
    pause: () => void socket.pause(),
    reset: () => void socket.resetAndDestroy(),
    close: () => socket.destroy(),
  };
}
