import { z } from 'zod';
import { parseHostAndPort, toAsciiName } from '@/lib/core/addresses';
import { type Mailbox, mailboxSchema } from './email-address';
import { MAIL_SECURITY, type ShownMailServer, USUAL_PORTS } from './mail-security';

const PORT = 'must be 1–65535';

const line = (most: number) =>
  z
    .string()
    .max(most, `must be at most ${most} characters`)
    .regex(/^\P{Cc}*$/u, 'must not contain control characters');

/** A mail server as people enter it. */
export const mailServerSchema = z
  .strictObject({
    host: z.string().trim().min(1, 'must not be empty').max(253, 'must be at most 253 characters'),
    port: z
      .string()
      .max(5, { error: PORT, abort: true })
      .regex(/^[1-9]\d*$/, PORT)
      .transform(Number)
      .refine((port) => port <= 65_535, PORT),
    security: z.enum(MAIL_SECURITY),
    user: line(320).default(''),
    /** Empty: the one that is stored, for the same host and user. */
    password: line(500).default(''),
    from: mailboxSchema,
  })
  .refine(({ host, port }) => parseHostAndPort(`${bracket(host)}:${port}`) !== null, {
    path: ['host'],
    message: 'must be a host name or an IP address',
  });

export type MailServerInput = z.output<typeof mailServerSchema>;

/** The URL of a mail server, as SMTP_URL. */
export function mailServerUrl({
  host,
  port,
  security,
  user,
  password,
}: Omit<MailServerInput, 'from'>): string {
  const login = user === '' ? '' : `${encodeURIComponent(user)}:${encodeURIComponent(password)}@`;
  const query = { tls: '', starttls: '?requireTLS=true', none: '?ignoreTLS=true' }[security];
  return `${security === 'tls' ? 'smtps' : 'smtp'}://${login}${bracket(toAsciiName(host))}:${port}/${query}`;
}

/** What screens show of the URL of a mail server: not its password. */
export function showMailServer(url: string, from: Mailbox): ShownMailServer {
  const { protocol, hostname, port, username, password, searchParams } = new URL(url);
  const isOn = (name: string) => searchParams.get(name) === 'true';
  const security =
    protocol === 'smtps:' ? 'tls' : isOn('requireTLS') ? 'starttls' : isOn('ignoreTLS') ? 'none' : null;
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port) || (security === 'tls' ? USUAL_PORTS.tls : USUAL_PORTS.starttls),
    security,
    user: decodeURIComponent(username),
    hasPassword: password !== '',
    from,
  };
}

const bracket = (host: string) => (host.includes(':') && !host.startsWith('[') ? `[${host}]` : host);
