import { inject } from 'vitest';
import { waitFor } from '@/lib/testing/wait-for';
import type { Service } from './start-service';

/** A mail that the shared service sent. */
export type SentMail = { to: string[]; subject: string; text: string; html: string };

/** A running service shared by all tests of a run; every test creates its own organizations. */
export type BorrowedService = Pick<Service, 'url' | 'dataDir'> & {
  /** Everything it has written so far. */
  logs(): Promise<string>;
  /** The mails to an address so far, oldest first. */
  mailsTo(address: string): Promise<SentMail[]>;
  /** Resolves with the first mail to an address with such a subject. */
  waitForMail(address: string, subject: RegExp): Promise<SentMail>;
};

/**
 * The shared service, which sends mail and trusts a proxy on this machine: service-broker.ts has its settings. The first call starts it.
 * Throws with its output on failure.
 */
export async function borrowService(): Promise<BorrowedService> {
  const broker = inject('serviceBroker');
  const response = await fetch(broker);
  if (!response.ok) throw new Error(await response.text());
  // Serialized by the broker, which is part of the tests.
  const { url, dataDir } = (await response.json()) as Service;
  const mailsTo = async (address: string): Promise<SentMail[]> =>
    (await fetch(`${broker}/mails?to=${encodeURIComponent(address)}`)).json();
  return {
    url,
    dataDir,
    logs: async () => (await fetch(`${broker}/logs`)).text(),
    mailsTo,
    waitForMail: (address, subject) =>
      waitFor(async () => {
        const mails = await mailsTo(address);
        const found = mails.find((mail) => subject.test(mail.subject));
        if (found) return found;
        const subjects = mails.map((mail) => mail.subject).join(', ') || 'nothing';
        throw new Error(`no mail to ${address} with ${subject}; received: ${subjects}`);
      }),
  };
}
