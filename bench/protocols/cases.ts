import { connect } from 'node:net';
import type { SpokenProtocol } from '@/lib/checks/tcp/protocols';
import type { DAEMONS } from './daemons';

/** A connection that is held open during a check. */
export type Held = { send?: Buffer | string; localAddress?: string };

/** A server in some state, and how a check of it must end: with `ok`, or with a sentence that contains the words. */
export type Case = {
  name: string;
  daemon: keyof typeof DAEMONS;
  settings?: readonly string[];
  hold?: readonly Held[];
  /** The address of loopback from which the server is checked. */
  source?: string;
  check: {
    protocol: SpokenProtocol;
    /** Of several ports of the server. */
    port?: number;
    certificate?: 'good' | 'expired' | 'self-signed';
    tlsVerify?: boolean;
    timeout?: number;
  };
  expected: string;
  /** How many checks run in a row. */
  repeat?: number;
  prepare?(directory: string, port: number): Promise<void> | void;
  /** Whether the tests have what the server said. */
  isRecorded?: boolean;
};

const MAIL: Case[] = [
  { name: 'smtp up', daemon: 'postfix', check: { protocol: 'smtp' }, expected: 'ok', isRecorded: true },
  {
    name: 'smtp with an expired certificate',
    daemon: 'postfix',
    check: { protocol: 'smtp', certificate: 'expired' },
    expected: 'certificate expired',
  },
  {
    name: 'smtp with an expired certificate that need not be valid',
    daemon: 'postfix',
    check: { protocol: 'smtp', certificate: 'expired', tlsVerify: false },
    expected: 'ok',
  },
  {
    name: 'smtp without encryption',
    daemon: 'postfix',
    settings: ['smtpd_tls_security_level = none'],
    check: { protocol: 'smtp' },
    expected: 'does not offer STARTTLS',
    isRecorded: true,
  },
  {
    name: 'smtp refusing too many connections',
    daemon: 'postfix',
    settings: ['smtpd_client_connection_count_limit = 1', 'smtpd_client_event_limit_exceptions ='],
    hold: [{}],
    check: { protocol: 'smtp' },
    expected: '421 4.7.0 mail.test Error: too many connections',
    isRecorded: true,
  },
  { name: 'imap up', daemon: 'dovecot', check: { protocol: 'imap' }, expected: 'ok', isRecorded: true },
  {
    name: 'imap with an expired certificate',
    daemon: 'dovecot',
    check: { protocol: 'imap', certificate: 'expired' },
    expected: 'certificate expired',
  },
  {
    name: 'imap without encryption',
    daemon: 'dovecot',
    settings: ['ssl = no', 'disable_plaintext_auth = no'],
    check: { protocol: 'imap' },
    expected: 'does not offer STARTTLS',
    isRecorded: true,
  },
  {
    name: 'pop3 up',
    daemon: 'dovecot',
    check: { protocol: 'pop3', port: 1 },
    expected: 'ok',
    isRecorded: true,
  },
  {
    name: 'pop3 with an expired certificate',
    daemon: 'dovecot',
    check: { protocol: 'pop3', port: 1, certificate: 'expired' },
    expected: 'certificate expired',
  },
  {
    name: 'pop3 without encryption',
    daemon: 'dovecot',
    settings: ['ssl = no'],
    check: { protocol: 'pop3', port: 1 },
    expected: 'does not offer STLS',
    isRecorded: true,
  },
];

const ENCRYPTED: Case[] = [
  { name: 'tls up', daemon: 'dovecot', check: { protocol: 'tls', port: 2 }, expected: 'ok' },
  {
    name: 'tls with an expired certificate',
    daemon: 'dovecot',
    check: { protocol: 'tls', port: 2, certificate: 'expired' },
    expected: 'certificate expired',
  },
  {
    name: 'tls of a server that does not speak it',
    daemon: 'openssh',
    check: { protocol: 'tls' },
    expected: 'does not speak TLS',
  },
];

const FILES: Case[] = [
  { name: 'ftp up', daemon: 'vsftpd', check: { protocol: 'ftp' }, expected: 'ok', isRecorded: true },
  {
    name: 'ftp with an expired certificate',
    daemon: 'vsftpd',
    check: { protocol: 'ftp', certificate: 'expired' },
    expected: 'certificate expired',
  },
  {
    name: 'ftp without encryption',
    daemon: 'vsftpd',
    settings: ['ssl_enable=NO'],
    check: { protocol: 'ftp' },
    expected: 'does not offer AUTH TLS',
    isRecorded: true,
  },
  {
    name: 'ftp refusing too many connections',
    daemon: 'vsftpd',
    settings: ['max_clients=1'],
    hold: [{}],
    check: { protocol: 'ftp' },
    expected: '421 There are too many connected users',
    isRecorded: true,
  },
  { name: 'ssh up', daemon: 'openssh', check: { protocol: 'ssh' }, expected: 'ok', isRecorded: true },
  {
    name: 'ssh refusing too many connections',
    daemon: 'openssh',
    settings: ['MaxStartups 1:100:1'],
    hold: [{}],
    check: { protocol: 'ssh' },
    expected: 'Exceeded MaxStartups',
    isRecorded: true,
  },
];

/** StartupMessage of the user `postgres`, who is asked for a password and keeps the connection meanwhile. */
const STARTUP = Buffer.concat([Buffer.from([0, 0, 0, 23, 0, 3, 0, 0]), Buffer.from('user\0postgres\0\0')]);

/** On other addresses than 127.0.0.1, the server has to find a name before it counts errors. */
const ELSEWHERE = '127.0.0.5';

const DATABASES: Case[] = [
  {
    name: 'postgresql asking for a password',
    daemon: 'postgresql',
    check: { protocol: 'postgresql' },
    expected: 'ok',
    isRecorded: true,
  },
  {
    name: 'postgresql with encryption',
    daemon: 'postgresql',
    settings: ['ssl=on'],
    check: { protocol: 'postgresql', certificate: 'expired' },
    expected: 'ok',
  },
  {
    name: 'postgresql refusing too many connections',
    daemon: 'postgresql',
    settings: ['max_connections=1', 'superuser_reserved_connections=0', 'max_wal_senders=0'],
    hold: [{ send: STARTUP }],
    check: { protocol: 'postgresql' },
    expected: 'too many clients',
    isRecorded: true,
  },
  {
    name: 'postgresql that does not accept connections yet',
    daemon: 'postgresql',
    settings: ['standby', 'hot_standby=off'],
    check: { protocol: 'postgresql' },
    expected: 'FATAL: the database system is',
    isRecorded: true,
  },
  {
    name: 'mysql asking for a password',
    daemon: 'mariadb',
    check: { protocol: 'mysql' },
    expected: 'ok',
    isRecorded: true,
  },
  {
    name: 'mysql refusing too many connections',
    daemon: 'mariadb',
    settings: ['--max-connections=10'],
    hold: Array.from({ length: 10 }, () => ({})),
    check: { protocol: 'mysql' },
    expected: 'ERROR 1040: Too many connections',
    isRecorded: true,
  },
  {
    name: 'mysql that blocks a host after ten broken connections',
    daemon: 'mariadb',
    settings: ['--max-connect-errors=10', 'named'],
    source: ELSEWHERE,
    check: { protocol: 'mysql' },
    prepare: (_directory, port) => breakConnections(port, 12),
    expected: 'ERROR 1129',
    isRecorded: true,
  },
  {
    name: 'mysql that would block a host after ten broken connections, checked 500 times',
    daemon: 'mariadb',
    settings: ['--max-connect-errors=10', 'named'],
    source: ELSEWHERE,
    check: { protocol: 'mysql' },
    repeat: 500,
    expected: 'ok',
  },
  { name: 'redis up', daemon: 'redis', check: { protocol: 'redis' }, expected: 'ok', isRecorded: true },
  {
    name: 'redis asking for a password',
    daemon: 'redis',
    settings: ['--requirepass', 'secret'],
    check: { protocol: 'redis' },
    expected: 'ok',
    isRecorded: true,
  },
  {
    name: 'redis refusing too many connections',
    daemon: 'redis',
    settings: ['--maxclients', '1'],
    hold: [{ send: 'PING\r\n' }],
    check: { protocol: 'redis' },
    expected: 'ERR max number of clients reached',
    isRecorded: true,
  },
  {
    name: 'redis refusing other hosts in protected mode',
    daemon: 'redis',
    source: ELSEWHERE,
    check: { protocol: 'redis' },
    expected: 'DENIED Redis is running in protected mode',
    isRecorded: true,
  },
];

/** Connects and leaves after the greeting, as a check that only connects does. */
async function breakConnections(port: number, count: number): Promise<void> {
  for (let round = 0; round < count; round += 1)
    await new Promise<void>((resolve) => {
      const socket = connect({ port, host: '127.0.0.1', localAddress: ELSEWHERE });
      socket.once('data', () => socket.destroy()).once('close', () => resolve());
      socket.on('error', () => undefined);
    });
}

export const CASES: readonly Case[] = [...MAIL, ...ENCRYPTED, ...FILES, ...DATABASES];
