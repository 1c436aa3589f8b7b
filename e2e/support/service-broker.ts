import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestProject } from 'vitest/node';
import { describeError } from '@/lib/core/errors';
import type { MailServer } from '@/lib/testing/mailbox';
import type { Service } from './start-service';

type Started = { service: Service; mail: MailServer };

/**
 * Starts one service for all tests that borrow it (borrow-service.ts) on first use. It runs in Vitest's main process and is
 * reached over HTTP: `/` returns the address of the service, `/logs` its output, and `/mails?to=…` what it sent to an address.
 */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  let starting: Promise<Started> | undefined;
  const broker = createServer((request, response) => {
    starting ??= start();
    starting.then(
      (started) => response.end(readFrom(started, new URL(request.url ?? '/', 'http://broker'))),
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
    const started = await starting?.catch(() => undefined);
    await started?.service.stop();
    await started?.mail.close();
  };
}

/** Imported on first use: most runs of a few files need no service. */
async function start(): Promise<Started> {
  const [{ startService }, { findFreePort }, { startMailServer }] = await Promise.all([
    import('./start-service'),
    import('@/lib/core/ports'),
    import('@/lib/testing/mailbox'),
  ]);
  const [mail, port] = [await startMailServer(), await findFreePort()];
  const login = { username: 'pharos', password: encodeURIComponent('pass:word') };
  const env = {
    PORT: String(port),
    APP_URL: `http://127.0.0.1:${port}`,
    SMTP_URL: Object.assign(new URL(mail.url), login).href,
    MAIL_FROM: 'pharos@example.com',
    MAIL_GROUP_SECONDS: '1',
    CUSTOM_DOMAIN_VERIFY: 'off',
    // Visitors have the address that a test gives them.
    TRUSTED_PROXIES: '127.0.0.1',
    // No DNS queries for the names in tests.
    DNS_SERVERS: '127.0.0.1:9',
    // Responds, by refusing: that all these names cannot be resolved does not mean that the network is cut off.
    NETWORK_CANARY: '127.0.0.1:1',
    // Whatever a process can log, no secret is in it.
    LOG_LEVEL: 'trace',
  };
  return { service: await startService({ env }), mail };
}

function readFrom({ service, mail }: Started, { pathname, searchParams }: URL): string {
  if (pathname === '/logs') return service.logs();
  if (pathname !== '/mails') return JSON.stringify(service);
  const address = searchParams.get('to') ?? '';
  const mails = mail.mails.filter(({ to }) => to.includes(address));
  return JSON.stringify(
    mails.map(({ to, parsed: { subject = '', text = '', html = '' } }) => ({ to, subject, text, html })),
  );
}

declare module 'vitest' {
  export interface ProvidedContext {
    /** The URL of the broker of the shared service. */
    serviceBroker: string;
  }
}
