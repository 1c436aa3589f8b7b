import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createKeyring } from '@/lib/core/keyring';
import { createManualClock } from '@/lib/core/time/clock';
import { checkSecretKey } from '@/lib/domain/context/services';
import { startHeartbeat } from '@/lib/engine/runtime/heartbeat';
import { parseEnvironment } from '@/lib/env';
import { useTestDatabase } from '@/lib/testing/database';
import { keepLog } from '@/lib/testing/kept-log';
import { startMailServer } from '@/lib/testing/mailbox';
import { createTestServices } from '@/lib/testing/services';
import { examine } from './examine';
import { type DoctorFinding, formatFindings, inspect, ok, warning, worstStatus, wrong } from './finding';
import { type DatabaseFacts, judgeDatabase } from './inspect-database';
import { judgeDescriptorLimit, judgeDisk } from './inspect-machine';

const MIGRATIONS = new URL('../../prisma/migrations', import.meta.url).pathname;
const SECRET_KEY = 'k'.repeat(32);
/** Nothing listens on port 1: both respond at once, with a refusal. */
const DEFAULTS = { SECRET_KEY, DNS_SERVERS: '127.0.0.1:1', NETWORK_CANARY: '127.0.0.1:1' };
const database = useTestDatabase();

const ending: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ending.splice(0)) await end();
});

/** What the doctor finds about the database of this test with these settings, by name. */
async function examineWith(settings: Record<string, string>, recipient: string | null = null) {
  const findings = await examine({
    readEnvironment: () => parseEnvironment({ ...DEFAULTS, DATABASE_URL: database.url, ...settings }),
    version: '1.2.3',
    migrations: MIGRATIONS,
    recipient,
  });
  return (name: string) => findings.filter((finding) => finding.name === name);
}

describe('pharos doctor', () => {
  it('finds a database that is ready, and a service whose workers do not run', async () => {
    const services = createTestServices({ db: database.db, clock: createManualClock(new Date()) });
    await checkSecretKey({ ...services, keyring: createKeyring(SECRET_KEY) });
    const about = await examineWith({});
    expect(about('database')).toMatchObject([
      { status: 'ok', message: expect.stringMatching(/^PostgreSQL 18\.\d+ responds/) },
    ]);
    for (const name of ['clock', 'schema', 'secret key'])
      expect(about(name), name).toMatchObject([{ status: 'ok' }]);
    expect(about('health: upkeep')).toMatchObject([
      { status: 'wrong', message: 'No worker runs upkeep tasks. Start a worker with WORKER_DUTIES=all.' },
    ]);
    const heartbeat = await startHeartbeat(
      { ...services, clock: { now: () => new Date() } },
      { workerId: 'wrk_doctor', regions: ['us-east'], log: keepLog().log },
    );
    ending.push(() => heartbeat.stop());
    expect((await examineWith({}))('health')).toMatchObject([{ status: 'ok' }]);
  });

  it('finds another secret key, without storing anything', async () => {
    const services = createTestServices({ db: database.db, clock: createManualClock(new Date()) });
    await checkSecretKey({ ...services, keyring: createKeyring(SECRET_KEY) });
    const before = await database.db.instance.findMany();
    const about = await examineWith({ SECRET_KEY: 'x'.repeat(32) });
    expect(about('secret key')).toMatchObject([{ status: 'wrong' }]);
    expect(await database.db.instance.findMany()).toEqual(before);
  });

  it('finds a database that cannot be reached, and inspects everything else', async () => {
    const about = await examineWith({ DATABASE_URL: 'postgresql://nobody:x@127.0.0.1:9/none' });
    expect(about('database')).toMatchObject([
      { status: 'wrong', message: expect.stringMatching(/^PostgreSQL at 127\.0\.0\.1:9 cannot be reached/) },
    ]);
    expect(about('version')).toMatchObject([{ status: 'ok' }]);
    expect(about('descriptors')).toHaveLength(process.platform === 'linux' ? 1 : 0);
  });

  it('finds a resolver that does not respond', async () => {
    const about = await examineWith({});
    expect(about('resolver')).toMatchObject([
      { status: 'wrong', message: expect.stringContaining('127.0.0.1:1') },
    ]);
    // A refused connection shows that the network works.
    expect(about('canary')).toMatchObject([{ status: 'ok' }]);
  });

  it('asks Pharos at APP_URL whether it responds', async () => {
    let status = 200;
    const server = createServer((_, response) => response.writeHead(status).end());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    ending.push(() => new Promise((resolve) => server.close(resolve)));
    const APP_URL = `http://localhost:${(server.address() as AddressInfo).port}`;
    expect((await examineWith({ APP_URL }))('address')).toMatchObject([{ status: 'ok' }]);
    status = 502;
    expect((await examineWith({ APP_URL }))('address')).toMatchObject([
      { status: 'warning', message: expect.stringContaining('it responds with 502') },
    ]);
  });

  it('signs in to the mail server, and sends an email only if asked', async () => {
    const server = await startMailServer();
    ending.push(() => server.close());
    const settings = { SMTP_URL: server.url, MAIL_FROM: 'pharos@example.com' };
    expect((await examineWith(settings))('email')).toMatchObject([{ status: 'ok' }]);
    expect(server.mails).toHaveLength(0);
    expect((await examineWith(settings, 'ops@example.com'))('test email')).toMatchObject([{ status: 'ok' }]);
    expect(server.mails).toMatchObject([{ to: ['ops@example.com'] }]);
  });

  it('says that no email is sent without SMTP_URL, and that a mail server is unreachable', async () => {
    expect((await examineWith({}, 'ops@example.com'))('test email')).toMatchObject([{ status: 'wrong' }]);
    const about = await examineWith({ SMTP_URL: 'smtp://127.0.0.1:9' });
    expect(about('email')).toMatchObject([
      { status: 'wrong', message: expect.stringContaining('ECONNREFUSED') },
    ]);
  });

  it('names an invalid setting, and then inspects nothing that depends on it', async () => {
    const about = await examineWith({ PORT: 'http' });
    expect(about('settings')).toEqual([
      {
        name: 'settings',
        status: 'wrong',
        message: 'PORT must be a whole number from 1 to 65535.',
        remedy: 'Correct it in the environment or in .env.',
      },
    ]);
    expect(about('database')).toEqual([]);
  });
});

describe('a finding', () => {
  it('is also that an inspection failed, or takes too long', async () => {
    const failed = await inspect('disk', async () => {
      throw new Error('no such device');
    });
    expect(failed).toMatchObject([{ status: 'wrong', message: 'Could not be inspected: no such device.' }]);
    const hung = await inspect('disk', () => new Promise<DoctorFinding[]>(() => undefined), 10);
    expect(hung).toMatchObject([
      { status: 'wrong', message: expect.stringContaining('within 0.01 seconds') },
    ]);
  });

  it('is one aligned line, with its remedy below, and the worst one counts', () => {
    const findings = [ok('disk', 'Enough.'), warning('clock', 'Late.', 'Set it.')];
    expect(formatFindings(findings, (_, text) => text).split('\n')).toEqual([
      'ok       disk   Enough.',
      'warning  clock  Late.',
      '                → Set it.',
      '',
      '1 ok, 1 warning, 0 wrong',
    ]);
    expect(worstStatus(findings)).toBe('warning');
    expect(worstStatus([...findings, wrong('mail', 'No.', 'Do.')])).toBe('wrong');
    expect(worstStatus([])).toBe('ok');
  });
});

describe('judging', () => {
  const facts: DatabaseFacts = {
    version: 180_001,
    latencyMs: 0.4,
    clockAheadMs: 3,
    isDurable: true,
    connections: 20,
    maxConnections: 100,
    bytes: 9_000_000,
  };
  const judged = (change: Partial<DatabaseFacts>) =>
    judgeDatabase({ ...facts, ...change })
      .filter(({ status }) => status !== 'ok')
      .map(({ name, status }) => [name, status]);

  it.each<[string, Partial<DatabaseFacts>, [string, string][]]>([
    ['nothing about a good one', {}, []],
    ['a version before 14', { version: 130_014 }, [['database', 'wrong']]],
    ['a slow network', { latencyMs: 30 }, [['database', 'warning']]],
    ['a clock that is ahead', { clockAheadMs: 2500 }, [['clock', 'warning']]],
    ['a clock that is behind', { clockAheadMs: -2500 }, [['clock', 'warning']]],
    ['fsync=off', { isDurable: false }, [['durability', 'wrong']]],
    ['few connections left', { connections: 81 }, [['connections', 'warning']]],
  ])('a database: %s', (_, change, expected) => {
    expect(judged(change)).toEqual(expected);
  });

  it('a disk: a warning below a tenth or 5 GB, wrong below 1 GB', () => {
    const judge = (freeGb: number, totalGb: number) =>
      judgeDisk({ freeBytes: freeGb * 1e9, totalBytes: totalGb * 1e9 }, '/data').status;
    expect([judge(6, 1000), judge(4.9, 1000), judge(2.1, 20), judge(1.9, 20), judge(0.9, 4)]).toEqual([
      'ok',
      'warning',
      'ok',
      'warning',
      'wrong',
    ]);
  });

  it('descriptors: one for each running check, and more', () => {
    expect(judgeDescriptorLimit(1024, 1000).status).toBe('warning');
    expect(judgeDescriptorLimit(2000, 1000).status).toBe('ok');
  });
});
