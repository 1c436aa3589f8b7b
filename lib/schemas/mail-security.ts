import type { Mailbox } from './email-address';

/** How the connection to a mail server is encrypted. */
export const MAIL_SECURITY = ['tls', 'starttls', 'none'] as const;
export type MailSecurity = (typeof MAIL_SECURITY)[number];

/** The ports on which servers usually expect that. */
export const USUAL_PORTS: Record<MailSecurity, number> = { tls: 465, starttls: 587, none: 25 };

/** A mail server as screens and the command line show it. */
export type ShownMailServer = {
  host: string;
  port: number;
  /** Null: encrypted if the server offers it. */
  security: MailSecurity | null;
  user: string;
  hasPassword: boolean;
  from: Mailbox;
};

/** The sender as people type it. */
export function formatSender({ name, address }: Mailbox): string {
  return name === null ? address : `${name} <${address}>`;
}
