import { createServer, type IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { WAIT_MS } from '@/bin/testing/patience.mjs';
import { type HttpListener, listenLocally } from './http-listener';

/** A received webhook request; `body` is the exact text, which the signature covers. */
export type ReceivedRequest = {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  receivedAt: Date;
};

/** A customer's webhook endpoint, on this machine. */
export type Receiver = HttpListener & {
  /** All received requests, oldest first. */
  requests: readonly ReceivedRequest[];
  /** Sets the response to further requests; initially 200 without a body. */
  respondWith(status: number, body?: string): void;
  /**
   * Resolves with the first matching request, past or future; rejects after `ms`, listing the received ones.
   */
  waitFor(fits: (request: ReceivedRequest) => boolean, ms?: number): Promise<ReceivedRequest>;
};

/** Starts a receiver on 127.0.0.1. */
export async function startReceiver(): Promise<Receiver> {
  const requests: ReceivedRequest[] = [];
  const waiting = new Set<(request: ReceivedRequest) => void>();
  let reply = { status: 200, text: '' };

  const server = createServer(async (incoming, response) => {
    const body = await text(incoming);
    const { method = '', url: path = '', headers } = incoming;
    const request = { method, path, headers, body, receivedAt: new Date() };
    requests.push(request);
    response.writeHead(reply.status).end(reply.text);
    for (const look of [...waiting]) look(request);
  });

  return {
    ...(await listenLocally(server)),
    requests,
    respondWith: (status, text = '') => {
      reply = { status, text };
    },
    waitFor: (fits, ms = WAIT_MS) => {
      const there = requests.find(fits);
      if (there) return Promise.resolve(there);
      return new Promise((resolve, reject) => {
        const look = (request: ReceivedRequest) => {
          if (!fits(request)) return;
          finish();
          resolve(request);
        };
        const timer = setTimeout(() => {
          finish();
          const events = requests.map(({ headers }) => headers['x-service-event'] ?? 'no event');
          reject(new Error(`no such request within ${ms} ms; received: ${events.join(', ') || 'nothing'}`));
        }, ms);
        const finish = () => {
          clearTimeout(timer);
          waiting.delete(look);
        };
        waiting.add(look);
      });
    },
  };
}
