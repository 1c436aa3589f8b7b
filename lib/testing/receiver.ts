import { createServer, type IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { type HttpListener, listenLocally } from './http-listener';

/** A webhook request as it came in; `body` is the exact text, for the signature is made over it. */
export type ReceivedRequest = {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  receivedAt: Date;
};

/** A webhook endpoint of a customer, on this machine. */
export type Receiver = HttpListener & {
  /** Everything received so far, oldest first. */
  requests: readonly ReceivedRequest[];
  /** What the next requests are answered with; 200 at first, without a body. */
  answerWith(status: number, body?: string): void;
  /** Resolves with the first request, past or to come, that fits; rejects after `ms`, saying what came instead. */
  waitFor(fits: (request: ReceivedRequest) => boolean, ms: number): Promise<ReceivedRequest>;
};

/** Starts a receiver on 127.0.0.1. */
export async function startReceiver(): Promise<Receiver> {
  const requests: ReceivedRequest[] = [];
  const waiting = new Set<(request: ReceivedRequest) => void>();
  let answer = { status: 200, text: '' };

  const server = createServer(async (incoming, response) => {
    const body = await text(incoming);
    const { method = '', url: path = '', headers } = incoming;
    const request = { method, path, headers, body, receivedAt: new Date() };
    requests.push(request);
    response.writeHead(answer.status).end(answer.text);
    for (const look of [...waiting]) look(request);
  });

  return {
    ...(await listenLocally(server)),
    requests,
    answerWith: (status, text = '') => {
      answer = { status, text };
    },
    waitFor: (fits, ms) => {
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
