import { createServer } from 'node:http';
import { type HttpListener, listenLocally } from './http-listener';

/** A website to monitor, on this machine. */
export type Target = HttpListener & {
  /** When each request was received, oldest first. */
  requestedAt: readonly Date[];
  /** Of the requests: a check that is repeated after its process was suspended requests the same one again. */
  paths: ReadonlySet<string>;
  /** Sets the status of further responses; initially 200. */
  respondWith(status: number): void;
};

/** Starts a target on 127.0.0.1. */
export async function startTarget(): Promise<Target> {
  const requestedAt: Date[] = [];
  const paths = new Set<string>();
  let status = 200;
  const server = createServer((incoming, response) => {
    requestedAt.push(new Date());
    paths.add(incoming.url ?? '');
    incoming.resume();
    response.writeHead(status, { 'content-type': 'text/plain' }).end(`status ${status}\n`);
  });
  return {
    ...(await listenLocally(server)),
    requestedAt,
    paths,
    respondWith: (next) => {
      status = next;
    },
  };
}
