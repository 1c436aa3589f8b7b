import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestProject } from 'vitest/node';

/**
 * Starts the PostgreSQL of a test run when the first test requests it (`testServerUrl`), in Vitest's own
 * process, so that pure tests never wait for it. Vitest calls the returned function at the end.
 */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  let starting: Promise<{ url: string; stop(): Promise<void> }> | undefined;
  const broker = createServer((_, response) => {
    starting ??= import('./database-server').then(({ startTestServer }) => startTestServer());
    starting.then(
      ({ url }) => response.end(url),
      (error: unknown) => response.writeHead(500).end(error instanceof Error ? error.stack : String(error)),
    );
  });
  await new Promise<void>((resolve) => broker.listen(0, '127.0.0.1', resolve));
  const { port } = broker.address() as AddressInfo;
  project.provide('databaseBroker', `http://127.0.0.1:${port}`);
  return async () => {
    broker.closeAllConnections();
    broker.close();
    // A failed start was already reported to the tests.
    const server = await starting?.catch(() => undefined);
    await server?.stop();
  };
}

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where tests request the URL of the test server; the first request starts it. */
    databaseBroker: string;
  }
}
