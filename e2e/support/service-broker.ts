import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestProject } from 'vitest/node';
import { describeError } from '@/lib/core/errors';
import type { Service } from './start-service';

/**
 * Starts one service for all tests that borrow it (borrow-service.ts) on first use. It runs in Vitest's main process and is
 * reached over HTTP: `/` returns the address of the service, `/logs` its output.
 */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  let starting: Promise<Service> | undefined;
  const broker = createServer((request, response) => {
    starting ??= import('./start-service').then(({ startService }) => startService());
    starting.then(
      (service) => response.end(request.url === '/logs' ? service.logs() : JSON.stringify(service)),
      (error: unknown) => response.writeHead(500).end(describeError(error)),
    );
  });
  await new Promise<void>((resolve) => broker.listen(0, '127.0.0.1', resolve));
  const { port } = broker.address() as AddressInfo;
  project.provide('serviceBroker', `http://127.0.0.1:${port}`);
  return async () => {
    broker.closeAllConnections();
    broker.close();
    // A failed start has been reported to the tests.
    const service = await starting?.catch(() => undefined);
    await service?.stop();
  };
}

declare module 'vitest' {
  export interface ProvidedContext {
    /** The URL of the broker of the shared service. */
    serviceBroker: string;
  }
}
