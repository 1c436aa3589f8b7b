import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

/** How long clients have to notice that their connections are ending, and requests to finish after that, in milliseconds. */
type Graces = { leaveMs: number; finishMs: number };

const GRACES: Graces = { leaveMs: 500, finishMs: 5000 };
const LOOK_MS = 20;

/**
 * Stops a server without failing requests on connections that load balancers keep: it responds for another moment, and ends each
 * connection with its response. Then it accepts no more requests, and gives running ones a few seconds. Resolves when no connection is left.
 */
export async function stopServer(server: Server, graces: Partial<Graces> = {}): Promise<void> {
  const { leaveMs, finishMs } = { ...GRACES, ...graces };
  // Before the listener of the server, which may respond at once.
  server.prependListener('request', endAfterResponse);
  const closeAt = performance.now() + leaveMs;
  while (performance.now() < closeAt && (await countConnections(server)) > 0) await delay(LOOK_MS);
  const closed = new Promise((resolve) => server.close(resolve));
  const looking = setInterval(() => server.closeIdleConnections(), LOOK_MS);
  const timer = setTimeout(() => server.closeAllConnections(), finishMs);
  await closed;
  clearInterval(looking);
  clearTimeout(timer);
}

function endAfterResponse(_: IncomingMessage, response: ServerResponse): void {
  response.setHeader('Connection', 'close');
}

function countConnections(server: Server): Promise<number> {
  return new Promise((resolve) => server.getConnections((error, count) => resolve(error ? 0 : count)));
}
