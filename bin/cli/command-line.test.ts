import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CommandResult, runPharos } from '@/e2e/support/run-pharos';
import { formatProgram } from '@/lib/command-line';
import { testServerUrl, useTestDatabase } from '@/lib/testing/database';
import { callPharos } from './testing/call-pharos';

const database = useTestDatabase();
const SECRET_KEY = 'k'.repeat(32);
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pharos-cli-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const withDatabase = (...args: string[]) => callPharos(args, { DATABASE_URL: database.url, SECRET_KEY });

/** What the help of a command lists. */
const LISTED = {
  '': [
    'start',
    'web',
    'worker',
    'migrate',
    'doctor',
    'backup',
    'restore',
    'org',
    'key',
    'region',
    'user',
    'secrets',
  ],
  org: ['create', 'plan', 'list', 'delete'],
  key: ['create', 'revoke'],
  region: ['create', 'list', 'delete'],
  user: ['list', 'reset-password', 'reset-second-factor', 'export', 'delete'],
  secrets: ['rotate', 'forget'],
  start: [],
  'org create': [],
};

function expectRefusal({ code, stdout, stderr }: CommandResult, expected: RegExp): void {
  expect([code, stdout]).toEqual([1, '']);
  const lines = stderr.trim().split('\n');
  expect(lines, stderr).toHaveLength(1);
  expect(lines[0]).toMatch(expected);
  expect(stderr).not.toContain('hunter2');
}

describe('pharos', () => {
  it.each(Object.entries(LISTED))('%s shows help with --help, and its commands', async (verb, commands) => {
    // All commands together are more than a test process should load.
    const run = verb === '' ? runPharos : callPharos;
    const { code, stdout } = await run([...verb.split(' ').filter(Boolean), '--help']);
    expect(code).toBe(0);
    expect(stdout).toContain(`Usage: ${`${formatProgram()} ${verb}`.trim()}`);
    expect(stdout.match(/(?<=^ {2})[a-z]\S*/gm) ?? []).toEqual(expect.arrayContaining(commands));
  });

  it('doctor prints one JSON document with --json, and exits 1 if anything is wrong', async () => {
    const { code, stdout } = await withDatabase('doctor', '--json');
    const { status, findings } = JSON.parse(stdout);
    expect(findings).toContainEqual(expect.objectContaining({ name: 'version', status: 'ok', remedy: null }));
    expect([code, status]).toEqual([1, 'wrong']);
  });

  it('names a missing option, and exits 1', async () => {
    const { code, stderr } = await runPharos(['org', 'create', '--name', 'Acme']);
    expect(code).toBe(1);
    expect(stderr).toContain('--email');
  });
});

describe('pharos region', () => {
  it('creates an own region and a token for it, lists it, and deletes it', async () => {
    const owner = ['--email', 'regions@example.com', '--password', 'correct horse'];
    const created = await withDatabase('org', 'create', '--name', 'Acme', ...owner);
    const org = ['--org', JSON.parse(created.stdout).organizationId];
    const run = async (...args: string[]) => JSON.parse((await withDatabase('region', ...args)).stdout);
    const { id } = await run('create', ...org, '--name', 'Office', '--place', 'hamburg');
    expect((await run('list', ...org)).regions[3]).toMatchObject({ id, location: 'Hamburg, Germany' });
    expect(await run('create-token', id)).toMatchObject({ token: expect.stringMatching(/^ph_probe_/) });
    expect(await run('delete', id)).toEqual({ id });
    const { code, stderr } = await withDatabase('region', 'create-token', id);
    expect([code, stderr]).toEqual([1, expect.stringContaining('unknown region')]);
  });
});

describe('pharos org and key', () => {
  const create = (email: string, ...rest: string[]) =>
    withDatabase('org', 'create', '--name', 'Acme', '--email', email, '--password', 'correct horse', ...rest);

  it('print one JSON object and nothing else', async () => {
    const { code, stdout } = await create('one@example.com', '--plan', 'pro');
    expect(code).toBe(0);
    const created = JSON.parse(stdout);
    expect(created).toEqual({
      organizationId: expect.stringMatching(/^org_/),
      userId: expect.stringMatching(/^usr_/),
      apiKey: expect.stringMatching(/^ph_live_[0-9A-Za-z]{38}$/),
    });
    const { organizationId } = created;
    const plan = await withDatabase('org', 'plan', organizationId, 'free');
    expect(JSON.parse(plan.stdout)).toEqual({ organizationId, plan: 'free' });
    const key = await withDatabase('key', 'create', '--org', organizationId, '--scope', 'read');
    expect(JSON.parse(key.stdout)).toEqual({
      id: expect.stringMatching(/^key_/),
      apiKey: expect.any(String),
    });
  });

  it('list organizations and users, revoke keys, and reset passwords', async () => {
    const email = 'lists@example.com';
    const { organizationId, userId } = JSON.parse((await create(email, '--plan', 'pro')).stdout);
    const key = JSON.parse((await withDatabase('key', 'create', '--org', organizationId)).stdout);
    const [organizations, users, revoked, reset] = (
      await Promise.all([
        withDatabase('org', 'list'),
        withDatabase('user', 'list'),
        withDatabase('key', 'revoke', key.id),
        withDatabase('user', 'reset-password', ' Lists@Example.com'),
      ])
    ).map(({ stdout }) => JSON.parse(stdout));
    expect(organizations.organizations).toContainEqual({
      id: organizationId,
      name: 'Acme',
      plan: 'pro',
      createdAt: expect.any(String),
      members: 1,
      monitors: 0,
    });
    expect(users.users).toContainEqual({
      id: userId,
      email,
      name: null,
      createdAt: expect.any(String),
      organizations: [{ id: organizationId, name: 'Acme', role: 'owner' }],
    });
    expect(JSON.stringify(users)).not.toContain('argon2');
    expect(revoked).toEqual({ id: key.id, revokedAt: expect.any(String) });
    expect(reset).toEqual({
      email,
      url: expect.stringMatching(/^http:\/\/localhost:3000\/reset-password\?token=[\w-]{43}$/),
      expiresAt: expect.any(String),
    });
  });

  it('export and delete a user, and delete an organization by its name', async () => {
    const email = 'leaver@example.com';
    const created = await withDatabase(
      'org',
      'create',
      '--name',
      'Leaving',
      '--email',
      email,
      '--password',
      'correct horse',
    );
    const { organizationId, userId } = JSON.parse(created.stdout);
    const exported = await withDatabase('user', 'export', email);
    expect(JSON.parse(exported.stdout)).toMatchObject({ id: userId, email, hasPassword: true });

    const early = await withDatabase('user', 'delete', email, '--yes');
    expect([early.code, early.stderr]).toEqual([1, expect.stringContaining('only owner of Leaving')]);
    const wrong = await withDatabase('org', 'delete', organizationId, '--name', 'Other');
    expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('“Leaving”')]);
    const right = await withDatabase('org', 'delete', organizationId, '--name', 'Leaving');
    expect(JSON.parse(right.stdout)).toEqual({ organizationId });
    expect((await withDatabase('user', 'delete', email)).code).toBe(1);
    expect(JSON.parse((await withDatabase('user', 'delete', email, '--yes')).stdout)).toEqual({ email });
    expect(await database.db.user.count({ where: { email } })).toBe(0);
  });

  it('reject invalid input in one line, and exit 1', async () => {
    const refused = await Promise.all([
      create('not an address'),
      create('two@example.com', '--plan', 'gold'),
      withDatabase('org', 'plan', 'org_none', 'pro'),
      withDatabase('key', 'create', '--org', 'org_none'),
      withDatabase('key', 'revoke', 'key_none'),
      withDatabase('user', 'reset-password', 'ada＠example.com'),
    ]);
    for (const { code, stdout, stderr } of refused) {
      expect(code).toBe(1);
      expect(stdout).toBe('');
      expect(stderr.trim().split('\n')).toHaveLength(1);
    }
  });

  it('accept an existing email address only with its password', async () => {
    expect((await create('three@example.com')).code).toBe(0);
    expect((await create('three@example.com')).code).toBe(0);
    const args = [
      'org',
      'create',
      '--name',
      'B',
      '--email',
      'three@example.com',
      '--password',
      'another one',
    ];
    expect((await withDatabase(...args)).code).toBe(1);
  });
});

describe('a failed start', () => {
  it.each<[Record<string, string>, RegExp]>([
    [{ PORT: 'http' }, /^PORT must be a whole number/],
    [{ APP_URL: 'example.com' }, /^APP_URL must be an http or https URL/],
    [{ SIGN_UP: 'maybe' }, /^SIGN_UP must be invite or open/],
    [{ PROBE_REGIONS: 'mars' }, /^PROBE_REGIONS must be some of us-east/],
    [
      { DATABASE_URL: 'postgresql://u:p@127.0.0.1:9/x' },
      /^SECRET_KEY must be set together with DATABASE_URL/,
    ],
    [{ DATABASE_URL: 'mysql://x', SECRET_KEY }, /^DATABASE_URL must be a PostgreSQL URL/],
  ])('with %j explains what to do in one line, and exits 1', async (environment, expected) => {
    expectRefusal(await callPharos(['start'], environment), expected);
  });

  it('ends its process with 1 and one line when it got further than its settings', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const address = taken.address();
    const port = String(typeof address === 'object' ? address?.port : 0);
    const file = join(folder, 'a-file');
    await writeFile(file, '');
    const server = new URL(await testServerUrl());
    const wrongPassword = Object.assign(new URL(server), { password: 'hunter2hunter2' }).href;

    const cases: [Record<string, string>, RegExp][] = [
      [
        { DATABASE_URL: wrongPassword, SECRET_KEY },
        /^DATABASE_URL: cannot connect to the database "pharos" at/,
      ],
      [{ DATA_DIR: join(file, 'data') }, /^DATA_DIR .* cannot be written/],
      [{ DATABASE_URL: database.url, SECRET_KEY, PORT: port, HOST: '127.0.0.1' }, /^PORT \d+ is in use/],
    ];
    for (const [environment, expected] of cases) {
      expectRefusal(await runPharos(['start'], environment), expected);
    }
    taken.close();
  });

  it('does not wait for a missing database if the command needs no service', async () => {
    const environment = { DATABASE_URL: 'postgresql://u:p@127.0.0.1:9/x', SECRET_KEY };
    const { code, stdout, stderr } = await callPharos(['org', 'list'], environment);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr.trim()).toMatch(
      /^DATABASE_URL: cannot connect to the database "x" at 127.0.0.1:9: .*ECONNREFUSED.*\. Check .*$/,
    );
  });

  it('rejects --connect without a configured Inngest server', async () => {
    const { code, stderr } = await runPharos(['worker', '--connect'], {
      DATABASE_URL: database.url,
      SECRET_KEY,
    });
    expect([code, stderr.trim().split('\n')]).toEqual([
      1,
      [expect.stringContaining('needs an Inngest server: set INNGEST_EVENT_KEY and INNGEST_SIGNING_KEY')],
    ]);
  });

  it('rejects a different secret key than the one the database was set up with', async () => {
    const keyed = useKey('first key of this database, 32 characters and more');
    expect((await keyed('migrate')).code).toBe(0);
    expect(
      (await keyed('org', 'create', '--name', 'A', '--email', 'k@example.com', '--password', 'correct horse'))
        .code,
    ).toBe(0);
    const { code, stderr } = await runPharos(['worker'], {
      DATABASE_URL: keyedDatabase.url,
      SECRET_KEY: 'second key of this database, 32 characters',
    });
    expect(code).toBe(1);
    expect(stderr).toContain('SECRET_KEY does not match this database');
  });
});

describe('pharos secrets', () => {
  const rotatedDatabase = useTestDatabase();
  const withKeys =
    (key: string, previous = '') =>
    (...args: string[]) =>
      callPharos(args, {
        DATABASE_URL: rotatedDatabase.url,
        SECRET_KEY: key,
        PREVIOUS_SECRET_KEYS: previous,
      });

  it('rotate re-encrypts with SECRET_KEY, and only processes with that key start afterwards', async () => {
    const [first, second] = ['the first key of a rotated database', 'the second key of a rotated database'];
    expect((await withKeys(first)('org', 'list')).code).toBe(0);
    const alone = await withKeys(second)('secrets', 'rotate');
    expect([alone.code, alone.stderr]).toEqual([
      1,
      expect.stringMatching(/^PREVIOUS_SECRET_KEYS must contain the previous key/),
    ]);
    const rotated = await withKeys(second, first)('secrets', 'rotate');
    expect([rotated.code, JSON.parse(rotated.stdout)]).toEqual([0, { resealed: 0 }]);
    expect((await withKeys(first)('org', 'list')).code).toBe(1);
    expect((await withKeys(second)('org', 'list')).code).toBe(0);
  });
});

const keyedDatabase = useTestDatabase();
const useKey =
  (key: string) =>
  (...args: string[]) =>
    callPharos(args, { DATABASE_URL: keyedDatabase.url, SECRET_KEY: key });
