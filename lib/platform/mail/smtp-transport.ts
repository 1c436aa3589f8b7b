import { createTransport } from 'nodemailer';
import { describeError } from '@/lib/core/errors';
import { storableText } from '@/lib/core/storable-text';
import type { Mailbox } from '@/lib/schemas/email-address';
import type { RenderedMail } from './render-mail';

/** The operator's mail server: SMTP_URL and MAIL_FROM. */
export type SmtpSettings = { url: string; from: Mailbox };

/** A mail with its address. `id` makes its Message-ID: the same on every try, so that a doubled mail can be told. */
export type OutgoingMail = RenderedMail & { id: string; to: string; date: Date };

/** What became of a try. `isFinal`: the server will not take this mail, however often it is tried. */
export type MailOutcome = { sent: true } | { sent: false; isFinal: boolean; error: string };

/** A pool of connections to a mail server, opened as they are needed. */
export type MailTransport = {
  /** Never throws. */
  send(mail: OutgoingMail): Promise<MailOutcome>;
  /** Closes the connections; one that is sending closes after that. */
  close(): void;
};

/** How many connections a process holds at once. */
export const MAIL_CONNECTIONS = 5;

const CONNECT_MS = 10_000;
/** Servers scan a mail before they take it. */
const SILENCE_MS = 60_000;
const KEPT_ERROR = 500;
/** Where a refusal is about the mail; a refused login or greeting says nothing of it. */
const ABOUT_THE_MAIL = ['EENVELOPE', 'EMESSAGE'];

/** Opens nothing yet. The query of the URL may set nodemailer's options, `tls.*` among them. */
export function createMailTransport({ url, from }: SmtpSettings): MailTransport {
  const settings = {
    url,
    pool: true as const,
    maxConnections: MAIL_CONNECTIONS,
    // A server may have closed a connection that was idle; a second loss is left to the retry schedule.
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
    send: async ({ id, to, ...mail }) => {
      const message = {
        ...mail,
        from: sender,
        to: { name: '', address: to },
        messageId: `<${id}@${domain}>`,
      };
      try {
        await pool.sendMail(message);
        return { sent: true };
      } catch (error) {
        return { sent: false, isFinal: isRefusal(error), error: explain(error) };
      }
    },
    close: () => pool.close(),
  };
}

/** Answers 5xx are final, 4xx and lost connections are not (RFC 5321, 4.2.1). */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, responseCode } = error as Error & { code?: unknown; responseCode?: unknown };
  return ABOUT_THE_MAIL.some((about) => about === code) && Number(responseCode) >= 500;
}

function explain(error: unknown): string {
  return storableText(describeError(error), KEPT_ERROR);
}
