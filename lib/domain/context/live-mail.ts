import { describeError } from '@/lib/core/errors';
import type { Keyring } from '@/lib/core/keyring';
import type { Logger } from '@/lib/core/logger';
import type { Environment } from '@/lib/env';
import type { Database } from '@/lib/platform/db/client';
import type { SmtpSettings } from '@/lib/platform/mail/smtp-transport';
import { connectGuarded } from '@/lib/platform/net/connect';
import type { TargetPolicy } from '@/lib/platform/net/target-policy';
import type { Mailbox } from '@/lib/schemas/email-address';

/** What the URL of the mail server is sealed for. */
export const MAIL_SERVER_OWNER = 'mail_server/url';

const CONNECT_MS = 10_000;

/** The mail server of this installation at present: that of SMTP_URL, otherwise the one that people set. */
export type LiveMail = {
  readonly isOn: boolean;
  /** Null: email is off. */
  readonly smtp: SmtpSettings | null;
  /** Whether SMTP_URL is set, which people cannot override. */
  readonly isFixed: boolean;
  /** The sender of MAIL_FROM, which people cannot override either; null: it is not set. */
  readonly fixedSender: Mailbox | null;
  /** Reads what people set: once at the start, and after every change. */
  refresh(): Promise<void>;
};

type Needs = { db: Pick<Database, 'mailServer'>; keyring: Keyring; targetPolicy: TargetPolicy };

/** Follows the mail server of an installation; off until `refresh` was called, unless SMTP_URL is set. */
export function createLiveMail(
  needs: Needs,
  {
    SMTP_URL: url,
    MAIL_FROM: from,
    HAS_MAIL_FROM,
  }: Pick<Environment, 'SMTP_URL' | 'MAIL_FROM' | 'HAS_MAIL_FROM'>,
): LiveMail {
  let smtp: SmtpSettings | null = url === undefined ? null : { url, from };
  const isFixed = smtp !== null;
  const fixedSender = HAS_MAIL_FROM ? from : null;
  return {
    get isOn() {
      return smtp !== null;
    },
    get smtp() {
      return smtp;
    },
    isFixed,
    fixedSender,
    refresh: async () => {
      if (!isFixed) smtp = await readStored(needs, fixedSender);
    },
  };
}

async function readStored(needs: Needs, fixedSender: Mailbox | null): Promise<SmtpSettings | null> {
  const row = await needs.db.mailServer.findUnique({ where: { id: 1 } });
  if (row === null) return null;
  const from = fixedSender ?? { address: row.senderAddress, name: row.senderName };
  return guardedSmtp(needs, { url: needs.keyring.open(row.urlSealed, MAIL_SERVER_OWNER), from });
}

/** Reads it again after a change. A failure is logged: the next change or connection reads it once more. */
export async function refreshMail(mail: Pick<LiveMail, 'refresh'>, log: Pick<Logger, 'warn'>): Promise<void> {
  await mail.refresh().catch((error: unknown) => {
    log.warn({ error: describeError(error) }, 'could not read the mail server');
  });
}

/** A mail server that people chose: its address is checked like that of every target. */
export function guardedSmtp(
  { targetPolicy: policy }: Pick<Needs, 'targetPolicy'>,
  settings: { url: string; from: Mailbox },
): SmtpSettings {
  const connect: SmtpSettings['connect'] = async (to) => {
    const { socket } = await connectGuarded({ ...to, policy, signal: AbortSignal.timeout(CONNECT_MS) });
    return socket;
  };
  return { ...settings, connect };
}
