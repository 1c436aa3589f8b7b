import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An HTTP server in a test. */
export type HttpListener = {
  /** `http://127.0.0.1:…`, without a trailing slash. */
  url: string;
  port: number;
  /** Stops listening and ends the open connections. */
  close(): Promise<void>;
};

/** Lets `server` listen on a free port of 127.0.0.1. */
export async function listenLocally(server: Server): Promise<HttpListener> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
