/** What is spoken after a connection is accepted, with its display name. `none`: nothing. Their exchanges are in `EXCHANGES` (protocols). */
export const PROTOCOL_LABELS = {
  none: 'None, only connect',
  tls: 'TLS',
  smtp: 'SMTP',
  imap: 'IMAP',
  pop3: 'POP3',
  ftp: 'FTP',
  ssh: 'SSH',
  postgresql: 'PostgreSQL',
  mysql: 'MySQL or MariaDB',
  redis: 'Redis',
} as const;
export type Protocol = keyof typeof PROTOCOL_LABELS;
/** A protocol with an exchange. */
export type SpokenProtocol = Exclude<Protocol, 'none'>;

export const PROTOCOLS = Object.keys(PROTOCOL_LABELS) as [Protocol, ...Protocol[]];
