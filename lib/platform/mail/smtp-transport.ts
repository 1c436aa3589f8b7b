import { createTransport } from 'nodemailer';
import { parseConnectionUrl } from 'nodemailer/lib/shared';
import { describeError } from '@/lib/core/errors';
import { storableText } from '@/lib/core/storable-text';
import type { Mailbox } from '@/lib/schemas/email-address';
import type { MailThread } from './queue-mail';
import type { RenderedMail } from './render-mail';

/** The operator's mail server: SMTP_URL and MAIL_FROM. */
export type SmtpSettings = { url: string; from: Mailbox };

/**
 * A mail with its address. `id`, or that of the thread it starts, determines its Message-ID: the same on every attempt, to detect
 * duplicates.
 */
export type OutgoingMail = RenderedMail & {
  id: string;
  to: string;
  date: Date;
  thread?: MailThread | null;
  /** The mailing list that it belongs to (RFC 2919), without the domain; null: none. */
  list?: string | null;
};

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
    pool: true as const,
    maxConnections: MAIL_CONNECTIONS,
    // A server may have closed an idle connection; further losses are left to the retry schedule.
    maxRequeues: 1,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    dnsTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    // With `url` among them, nodemailer ignores all other settings.
    ...parseConnectionUrl(url),
    disableFileAccess: true,
    disableUrlAccess: true,
  };
  const pool = createTransport(settings);
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1);
  const sender = { name: from.name ?? '', address: from.address };
  return {
    /** Never throws. */
    send: async ({ id, to, thread = null, list = null, ...mail }: OutgoingMail): Promise<MailOutcome> => {
      const ids = threadHeaders(id, thread, (id) => `<${id}@${domain}>`);
      const listed = list === null ? {} : { 'List-Id': `<${list}.${domain}>` };
      const headers = { ...mail.headers, ...listed };
      try {
        await pool.sendMail({ ...mail, headers, from: sender, to: { name: '', address: to }, ...ids });
        return { sent: true };
      } catch (error) {
        const reason = storableText(describeError(error), MAX_ERROR_LENGTH);
        return { sent: false, isFinal: isRefusal(error), error: reason };
      }
    },
    /** Connects and signs in without sending anything. Null: the server would accept a mail; otherwise why not. Never throws. */
    verify: async (): Promise<string | null> => {
      try {
        await pool.verify();
        return null;
      } catch (error) {
        return describeError(error);
      }
    },
    /** Closes the connections; a busy one closes when it is done. */
    close: () => pool.close(),
  };
}

/** The headers by which mail programs recognize a thread (RFC 5322, 3.6.4). */
function threadHeaders(id: string, thread: MailThread | null, messageIdOf: (id: string) => string) {
  if (thread === null) return { messageId: messageIdOf(id) };
  const root = messageIdOf(thread.id);
  if (!thread.isFirst) return { messageId: messageIdOf(id), inReplyTo: root, references: root };
  const continued = thread.continued.map(messageIdOf);
  return { messageId: root, ...(continued.length > 0 ? { references: continued } : {}) };
}

/** 5xx responses are permanent, 4xx and lost connections are not (RFC 5321, 4.2.1). */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, responseCode } = error as Error & { code?: unknown; responseCode?: unknown };
  return ABOUT_THE_MAIL.some((about) => about === code) && Number(responseCode) >= 500;
}
