import { createLogger } from '@/lib/core/logger';
import { createManualClock } from '@/lib/core/time/clock';
import { createMailEngine, type MailEngine, startDueMail } from '@/lib/engine/mail/drain-mail';
import type { Database } from '@/lib/platform/db/client';
import type { MailContent } from '@/lib/platform/mail/queue-mail';
import { queueMail } from '@/lib/platform/mail/queue-mail';
import { createTestServices } from '@/lib/testing/services';

export const START = new Date('2026-03-01T12:00:00.000Z');

const SENDER = { name: 'Pharos', address: 'pharos@example.com' };
const INVITATION: MailContent = {
  subject: 'Join Acme',
  blocks: [{ paragraph: 'You are invited.' }],
  button: { label: 'Join', url: 'https://pharos.test/join/secret-token' },
};

/** Email on `db` through the mail server at `url`, with a manual clock. Use a separate database. */
export function beginMailStory(db: Database, url: string) {
  const clock = createManualClock(START);
  const services = createTestServices({ db, clock, mail: true });
  /** A worker that exists during `run`. */
  const withWorker = async (workerId: string, run: (engine: MailEngine) => Promise<void>) => {
    const engine = createMailEngine({
      workerId,
      services,
      serviceName: 'Pharos',
      smtp: () => ({ url, from: SENDER }),
      notices: { groupSeconds: 60, appUrl: null },
      log: createLogger('silent', 'test'),
    });
    try {
      await run(engine);
      await engine.slots.idle();
    } finally {
      engine.transport.close();
    }
  };
  return {
    clock,
    services,
    withWorker,
    queue: (to: string, content: Partial<MailContent> = {}) =>
      db.$transaction((tx) =>
        queueMail(tx, services, {
          organizationId: null,
          kind: 'test',
          to,
          content: { ...INVITATION, ...content },
        }),
      ),
    /** Sends what is due now, and waits for it. */
    send: () =>
      withWorker('wrk_test', async (engine) => {
        while ((await startDueMail(engine)) > 0) await engine.slots.idle();
      }),
    mailTo: (recipient: string) => db.mail.findFirstOrThrow({ where: { recipient } }),
  };
}
