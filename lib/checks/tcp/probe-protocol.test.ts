import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { findClosedPort, serveTcp } from '@/lib/platform/net/testing/servers';
import type { Assertion } from '../assertions/assertion';
import { probe } from '../probe';
import { createTarget, openEnvironment } from '../testing/target';
import { PROTOCOLS, type SpokenProtocol } from './protocols';
import { RECORDINGS, secure, serveRecorded } from './testing/recorded-server';

const SPOKEN = PROTOCOLS.filter((protocol) => protocol !== 'none');

/** The sentences of what real servers said that is not good; the others succeed. */
const SENTENCES: Readonly<Record<string, string>> = {
  'smtp without encryption': 'the server does not offer STARTTLS',
  'smtp refusing too many connections':
    'the server refused the SMTP session: “421 4.7.0 mail.test Error: too many connections from 127.0.0.1”',
  'imap without encryption': 'the server does not offer STARTTLS',
  'pop3 without encryption': 'the server does not offer STLS',
  'ftp without encryption': 'the server does not offer AUTH TLS',
  'ftp refusing too many connections':
    'the server refused the FTP session: “421 There are too many connected users, please try later.”',
  'ssh refusing too many connections': 'the server refused the SSH session: “Exceeded MaxStartups”',
  'postgresql refusing too many connections':
    'the server refused the PostgreSQL session: “FATAL: sorry, too many clients already”',
  'postgresql that does not accept connections yet':
    'the server refused the PostgreSQL session: “FATAL: the database system is not accepting connections”',
  'mysql refusing too many connections':
    'the server refused the MySQL session: “ERROR 1040: Too many connections”',
  'mysql that blocks a host after ten broken connections':
    "the server refused the MySQL session: “ERROR 1129: Host '127.0.0.5' is blocked because of many connection errors; unblock with 'mariadb-admin flush-hosts'”",
  'redis refusing too many connections':
    'the server refused the Redis session: “ERR max number of clients reached”',
};

function check(port: number, protocol: SpokenProtocol, changes = {}) {
  const target = createTarget('tcp', `127.0.0.1:${port}`, { protocol, ...changes });
  return probe(target, { ...openEnvironment, evidenceOf: 'any' });
}

/** What members of the organization read, whatever the address. */
const sentenceOf = ({ error }: Awaited<ReturnType<typeof check>>) =>
  (error?.detail ?? error?.message ?? null)?.replace(/127\.0\.0\.1:\d+/, 'the server') ?? null;

describe('a check of what a real server said', () => {
  const cases = Object.entries(RECORDINGS).filter(([name]) => !name.includes('protected mode'));

  it.each(cases)('%s', async (name, recording) => {
    const { port, sent } = await serveRecorded(recording);
    const result = await check(port, recording.protocol as SpokenProtocol);
    expect(sentenceOf(result)).toBe(SENTENCES[name] ?? null);
    expect(result.outcome).toBe(name in SENTENCES ? 'failed' : 'ok');
    expect(result.networkFailure).toBe(false);
    expect(result.evidence?.().dialog).toEqual(recording.dialog);
    const { received, expected } = sent();
    expect(received.toString('latin1')).toBe(expected.toString('latin1'));
  });

  it.each(['smtp', 'imap', 'pop3', 'ftp'] as const)('%s with an expired certificate', async (protocol) => {
    const recording = RECORDINGS[`${protocol} up`];
    if (recording === undefined) throw new Error('there is no recording');
    const strict = await check((await serveRecorded(recording, 'expired')).port, protocol);
    expect(strict).toMatchObject({ outcome: 'failed', error: { code: 'tls' } });
    expect(strict.error?.message).toMatch(/^certificate expired \d+ days ago$/);
    expect(strict.evidence?.().certificates).not.toHaveLength(0);
    const lax = await check((await serveRecorded(recording, 'expired')).port, protocol, { tlsVerify: false });
    expect(lax).toMatchObject({ outcome: 'ok', certificateExpiresAt: expect.any(Date) });
  });

  it('has the phases of what was said, which add up', async () => {
    const recording = RECORDINGS['smtp up'];
    if (recording === undefined) throw new Error('there is no recording');
    const { phases, responseTime } = await check((await serveRecorded(recording)).port, 'smtp');
    const total = Object.values(phases).reduce((sum: number, ms) => sum + (ms ?? 0), 0);
    expect(Math.abs(total - (responseTime ?? 0))).toBeLessThanOrEqual(3);
    expect(phases.tls).toEqual(expect.any(Number));
  });

  it('never names what a server said in public', async () => {
    const recording = RECORDINGS['redis refusing other hosts in protected mode'];
    if (recording === undefined) throw new Error('there is no recording');
    const { error } = await check((await serveRecorded(recording)).port, 'redis');
    expect(error?.message).toMatch(/^127\.0\.0\.1:\d+ refused the Redis session$/);
    expect(error?.detail).toContain('DENIED Redis is running in protected mode');
  });
});

describe.each(SPOKEN)('a check of the protocol %s', (protocol) => {
  it('fails if nothing listens', async () => {
    const result = await check(await findClosedPort(), protocol);
    expect(sentenceOf(result)).toBe('connection refused by the server');
  });

  it('fails within its timeout if the server accepts, and says nothing', async () => {
    const { port } = await serveTcp();
    const result = await check(port, protocol, { timeout: 0.3 });
    expect(result).toMatchObject({ outcome: 'failed', error: { code: 'timeout' } });
    expect(sentenceOf(result)).toMatch(/^no response within 300 ms (while waiting for the|during the TLS)/);
  });

  it('fails if the server closes or resets the connection', async () => {
    const closed = await serveTcp((socket) => void socket.once('data', () => socket.end()).end());
    expect((await check(closed.port, protocol)).outcome).toBe('failed');
    const reset = await serveTcp((socket) => socket.resetAndDestroy());
    expect((await check(reset.port, protocol)).outcome).toBe('failed');
  });

  it('fails if the server speaks HTTP', async () => {
    const { port } = await serveTcp((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    const result = await check(port, protocol, { timeout: 2 });
    expect(result.outcome).toBe('failed');
    expect(sentenceOf(result)).toMatch(/does not speak|refused the (SSH|TLS)|closed the connection/);
  });

  it('fails if the server babbles without end, and reads only part of it', async () => {
    const chunk = Buffer.alloc(16_384, 'x');
    const { port } = await serveTcp((socket: Socket) => {
      const babble = () => {
        while (!socket.destroyed && socket.write(chunk));
      };
      socket.on('drain', babble);
      babble();
    });
    const result = await check(port, protocol, { timeout: 2 });
    expect(result).toMatchObject({ outcome: 'failed', networkFailure: false });
  });
});

describe('a check with a protocol', () => {
  it('reads the banner over TLS, after what is to be sent', async () => {
    const { port } = await serveTcp((plain) => {
      const socket = secure(plain, 'good');
      socket.once('data', (sent) => socket.write(`+PONG ${sent}`));
    });
    const banner: Assertion = {
      source: 'banner',
      property: null,
      comparison: 'contains',
      target: 'PONG PING',
    };
    expect(await check(port, 'tls', { assertions: [banner], send: 'PING' })).toMatchObject({ outcome: 'ok' });
  });

  it('judges the greeting and the certificate', async () => {
    const recording = RECORDINGS['smtp up'];
    if (recording === undefined) throw new Error('there is no recording');
    const assertions: Assertion[] = [
      { source: 'banner', property: null, comparison: 'contains', target: 'Postfix' },
      { source: 'certificateDays', property: null, comparison: 'greaterThan', target: 1 },
    ];
    expect(await check((await serveRecorded(recording)).port, 'smtp', { assertions })).toMatchObject({
      outcome: 'ok',
    });
  });

  it('does not accept text that a server sends before TLS and that would be read after it', async () => {
    const { port } = await serveTcp((socket) => {
      socket.write('+OK ready\r\n');
      socket.once('data', () => socket.write('+OK begin\r\n+OK injected\r\n'));
    });
    expect(sentenceOf(await check(port, 'pop3'))).toBe('the server sent data before TLS was negotiated');
  });

  it('leaves as the protocol asks for, and succeeds although the server does not reply to that', async () => {
    let received = '';
    const { port } = await serveTcp((socket) => {
      socket.on('data', (chunk) => {
        received += chunk;
        if (String(chunk).startsWith('PING')) socket.write('+PONG\r\n');
      });
    });
    expect(await check(port, 'redis')).toMatchObject({ outcome: 'ok' });
    expect(received).toBe('PING\r\nQUIT\r\n');
  });
});
