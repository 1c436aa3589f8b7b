import { createTransport } from 'nodemailer';
import { describeError } from '@/lib/core/errors';
import { storableText } from '@/lib/core/storable-text';
import type { Mailbox } from '@/lib/schemas/email-address';
import type { RenderedMail } from './render-mail';

/** The operator's mail server: SMTP_URL and MAIL_FROM. */
export type SmtpSettings = { url: string; from: Mailbox };

/** A mail with its address. `id` determines its Message-ID, the same on every attempt, to detect duplicates. */
export type OutgoingMail = RenderedMail & { id: string; to: string; date: Date };

/** The outcome of an attempt. `isFinal`: the server permanently rejects this mail. */
export type MailOutcome = { sent: true } | { sent: false; isFinal: boolean; error: string };

/** A pool of connections to a mail server, opened on demand. */
export type MailTransport = ReturnType<typeof createMailTransport>;

/** Maximum connections per process. */
export const MAIL_CONNECTIONS = 5;

const CONNECT_MS = 10_000;
/** Servers scan a mail before they accept it. */
const SILENCE_MS = 60_000;
const MAX_ERROR_LENGTH = 500;
/** Errors about the mail itself; a rejected login or greeting is not. */
const ABOUT_THE_MAIL = ['EENVELOPE', 'EMESSAGE'];

/** Creates the transport; connects on first use. The URL's query may set nodemailer options, including `tls.*`. */
export function createMailTransport({ url, from }: SmtpSettings) {
  const settings = {
    url,
    pool: true as const,
    maxConnections: MAIL_CONNECTIONS,
    // A server may have closed an idle connection; further losses are left to the retry schedule.
    maxRequeues: 1,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    dnsTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
  const pool = createTransport(settings);
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1);
  const sender = { name: from.name ?? '', address: from.address };
  return {
    /** Never throws. */
    send: async ({ id, to, ...mail }: OutgoingMail): Promise<MailOutcome> => {
      const messageId = `<${id}@${domain}>`;
      try {
        await pool.sendMail({ ...mail, from: sender, to: { name: '', address: to }, messageId });
        return { sent: true };
      } catch (error) {
        const reason = storableText(describeError(error), MAX_ERROR_LENGTH);
        return { sent: false, isFinal: isRefusal(error), error: reason };
      }
    },
    /** Closes the connections; a busy one closes when it is done. */
    close: () => pool.close(),
  };
}

/** 5xx responses are permanent, 4xx and lost connections are not (RFC 5321, 4.2.1). */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, responseCode } = error as Error & { code?: unknown; responseCode?: unknown };
  return ABOUT_THE_MAIL.some((about) => about === code) && Number(responseCode) >= 500;
}
