import { once } from 'node:events';
import { createServer, type Server } from 'node:http';

const ARRIVES_WITHIN_MS = 300_000;

/** A website that can refuse connections. */
export type Target = {
  url: string;
  /** From now on, connections are refused. */
  die(): Promise<void>;
  /** From now on, it responds again, at the same address. */
  revive(): Promise<void>;
};

/** Below the ports that systems give out, and on addresses of their own: while a target is dead, nobody else may respond in its place. */
const PORT = 18_080;
const PER_NETWORK = 250;

/** Starts a target on a loopback address of its own. */
export async function startTarget(number: number): Promise<Target> {
  const host = `127.77.${Math.floor(number / PER_NETWORK)}.${(number % PER_NETWORK) + 1}`;
  const server = createServer((_request, response) =>
    response.setHeader('connection', 'close').end('well\n'),
  );
  await listen(server, { host, port: PORT });
  return {
    url: `http://${host}:${PORT}/`,
    die: async () => {
      server.close();
      server.closeAllConnections();
    },
    revive: async () => {
      await listen(server, { host, port: PORT });
    },
  };
}

/** Arrivals of events at a webhook endpoint, awaited by monitor. */
export type Receiver = Awaited<ReturnType<typeof startReceiver>>;

/** Starts a receiver that accepts every delivery. */
export async function startReceiver() {
  const awaited = new Map<string, (at: number) => void>();
  const server = createServer((request, response) => {
    const at = performance.now();
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      response.end();
      const { event, monitor } = JSON.parse(Buffer.concat(chunks).toString());
      awaited.get(`${event} ${monitor?.id}`)?.(at);
    });
  });
  const port = await listen(server, { host: '127.0.0.1', port: 0 });
  return {
    url: `http://127.0.0.1:${port}/`,
    /** Resolves to when the next event of a kind arrives, by the clock of `performance`. Rejects after five minutes. */
    arrival: (event: string, monitorId: string): Promise<number> =>
      new Promise((resolve, reject) => {
        const lost = new Error(`${event} of ${monitorId} did not arrive`);
        const timer = setTimeout(() => reject(lost), ARRIVES_WITHIN_MS);
        awaited.set(`${event} ${monitorId}`, (at) => {
          clearTimeout(timer);
          resolve(at);
        });
      }),
  };
}

async function listen(server: Server, place: { host: string; port: number }): Promise<number> {
  server.listen({ ...place, backlog: 1024 });
  await once(server, 'listening');
  const address = server.address();
  return address !== null && typeof address === 'object' ? address.port : 0;
}
