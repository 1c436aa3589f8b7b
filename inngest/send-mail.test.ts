import { afterAll, beforeAll, expect, it } from 'vitest';
import { createLogger } from '@/lib/core/logger';
import { findFreePort } from '@/lib/core/ports';
import { createMonitor } from '@/lib/domain/monitors/create-monitor';
import { parseEnvironment } from '@/lib/env';
import { queueMail } from '@/lib/platform/mail/queue-mail';
import { createMonitorSchema } from '@/lib/schemas/monitor';
import { useTestDatabase } from '@/lib/testing/database';
import { type MailServer, startMailServer } from '@/lib/testing/mailbox';
import { createTestOrganization, createTestServices, TEST_SECRET_KEY } from '@/lib/testing/services';
import { runWorker } from './run-worker';

const database = useTestDatabase();
let server: MailServer;

beforeAll(async () => {
  server = await startMailServer();
});
afterAll(() => server.close());

const startWorker = (settings: Record<string, string>) =>
  runWorker(
    parseEnvironment({ DATABASE_URL: database.url, SECRET_KEY: TEST_SECRET_KEY, ...settings }),
    createLogger('silent', 'test'),
  );

it('a worker sends pending mail, and mail queued while it runs immediately; nothing without a mail server', async () => {
  const { db } = database;
  const services = createTestServices({ db, mail: true });
  const queue = (to: string) =>
    db.$transaction((tx) =>
      queueMail(tx, services, {
        organizationId: null,
        kind: 'test',
        to,
        content: { subject: `To ${to}`, blocks: [] },
      }),
    );
  await queue('first@example.com');

  const stopSilent = await startWorker({});
  await expect.poll(() => db.worker.count()).toBe(1);
  await stopSilent();
  expect(await db.mail.count({ where: { attempts: 0 } }), 'left alone').toBe(1);

  const stop = await startWorker({ SMTP_URL: server.url, MAIL_FROM: 'Ops <ops@example.com>' });
  const first = await server.waitFor(({ to }) => to.includes('first@example.com'));
  expect(first.parsed.from).toEqual({ name: 'Ops', address: 'ops@example.com' });
  await queue('second@example.com');
  await server.waitFor(({ to }) => to.includes('second@example.com'));
  await stop();
  expect(await db.mail.count({ where: { sentAt: null } })).toBe(0);
});

it('members are notified when a monitor goes down, after the configured gathering time', async () => {
  const { db } = database;
  const services = createTestServices({ db });
  const { ctx, organizationId } = await createTestOrganization(services);
  const url = `http://127.0.0.1:${await findFreePort()}/`;
  const input = { name: 'Shop', url, alertThreshold: 1 };
  const { id } = await createMonitor(ctx, createMonitorSchema.parse(input));
  const stop = await startWorker({
    SMTP_URL: server.url,
    APP_URL: 'https://pharos.test',
    MAIL_GROUP_SECONDS: '1',
  });
  const { parsed } = await server.waitFor(({ parsed: mail }) => mail.subject === 'Shop is down');
  expect(parsed.text).toContain(`https://pharos.test/monitors/${id}`);
  await stop();
  expect(await db.memberNotice.count({ where: { organizationId, mailedAt: null } })).toBe(0);
});
