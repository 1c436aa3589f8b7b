import { createServer } from 'node:http';
import { type HttpListener, listenLocally } from './http-listener';

/** A website to monitor, on this machine. */
export type Target = HttpListener & {
  /** When each request was received, oldest first. */
  requestedAt: readonly Date[];
  /** Sets the status of further responses; initially 200. */
  respondWith(status: number): void;
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
    respondWith: (next) => {
      status = next;
    },
  };
}
