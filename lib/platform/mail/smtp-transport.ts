import type { Socket } from 'node:net';
import { createTransport } from 'nodemailer';
import { parseConnectionUrl } from 'nodemailer/lib/shared';
import { describeError } from '@/lib/core/errors';
import { storableText } from '@/lib/core/storable-text';
import type { Mailbox } from '@/lib/schemas/email-address';
import type { MailThread } from './queue-mail';
import type { RenderedMail } from './render-mail';

/** A mail server, as SMTP_URL and MAIL_FROM describe it. */
export type SmtpSettings = {
  url: string;
  from: Mailbox;
  /** Connects to it, if not every address may be connected to. */
  connect?: (to: { host: string; port: number }) => Promise<Socket>;
};

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
export function createMailTransport({ url, from, connect }: SmtpSettings) {
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
    ...(connect && { getSocket: socketGetter(url, connect) }),
  };
  const pool = createTransport(settings);
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1);
  const sender = { name: from.name ?? '', address: from.address };
  return {
    /** Never throws. */
    send: async ({ id, to, thread = null, list = null, ...mail }: OutgoingMail): Promise<MailOutcome> => {
      const ids = threadHeaders(id, thread, (id) => `<${id}@${domain}>`);
      const listed: Record<string, string> = list === null ? {} : { 'List-Id': `<${list}.${domain}>` };
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

/** The connections of a transport, as nodemailer asks for them. */
function socketGetter(url: string, connect: NonNullable<SmtpSettings['connect']>) {
  const { hostname, port, protocol } = new URL(url);
  const to = { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || defaultPort(protocol) };
  return (_: object, done: (error: Error | null, options?: { connection: Socket }) => void) => {
    connect(to).then(
      (connection) => done(null, { connection }),
      (error: unknown) => done(error instanceof Error ? error : new Error(describeError(error))),
    );
  };
}

/** The port of a URL without one. */
export function defaultPort(protocol: string): number {
  return protocol === 'smtps:' ? 465 : 587;
}

/** The transport to the mail server at present, which can change. */
export type CurrentTransport = Pick<MailTransport, 'send' | 'close'>;

/** A transport that follows `read`: with another server, the connections to the last one are closed once they are idle. */
export function createCurrentTransport(read: () => SmtpSettings | null): CurrentTransport {
  let used: { server: string; transport: MailTransport } | null = null;
  const follow = (): MailTransport | null => {
    const settings = read();
    const server = JSON.stringify([settings?.url, settings?.from]);
    if (used?.server === server) return used.transport;
    used?.transport.close();
    used = settings && { server, transport: createMailTransport(settings) };
    return used?.transport ?? null;
  };
  return {
    send: async (mail) =>
      (await follow()?.send(mail)) ?? { sent: false, isFinal: false, error: 'email was turned off' },
    close: () => used?.transport.close(),
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
