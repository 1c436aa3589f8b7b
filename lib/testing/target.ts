import { createServer } from 'node:http';
import { type HttpListener, listenLocally } from './http-listener';

/** A web site to be monitored, on this machine. */
export type Target = HttpListener & {
  /** When each request came in, oldest first. */
  requestedAt: readonly Date[];
  /** What the next requests are answered with; 200 at first. */
  answerWith(status: number): void;
};

/** Starts a target on 127.0.0.1. */
export async function startTarget(): Promise<Target> {
  const requestedAt: Date[] = [];
  let status = 200;
  const server = createServer((incoming, response) => {
    requestedAt.push(new Date());
    incoming.resume();
    response.writeHead(status, { 'content-type': 'text/plain' }).end(`status ${status}\n`);
  });
  return {
    ...(await listenLocally(server)),
    requestedAt,
    answerWith: (next) => {
      status = next;
    },
  };
}
