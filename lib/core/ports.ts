import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

// Below the range of ephemeral ports (32768 and up on Linux).
const FIRST_PORT = 20_000;
const LAST_PORT = 32_767;
const MAX_ATTEMPTS = 200;

function isFree(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

/** A TCP port of `host` that was free a moment ago. Another process may take it first: be ready to retry. */
export async function findFreePort(host = '127.0.0.1'): Promise<number> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const port = randomInt(FIRST_PORT, LAST_PORT + 1);
    if (await isFree(host, port)) return port;
  }
  throw new Error(`no free port found on ${host} between ${FIRST_PORT} and ${LAST_PORT}`);
}
