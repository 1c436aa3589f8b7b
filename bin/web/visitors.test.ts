import { type IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { listOperations } from '@/app/api/openapi.json/describe';
import { TEST_MS } from '@/bin/testing/patience.mjs';
import { createManualClock } from '@/lib/core/time/clock';
import { generateApiKey } from '@/lib/domain/api-keys/key-format';
import { createSession } from '@/lib/domain/people/sessions';
import { useTestDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices, type TestOrganization } from '@/lib/testing/services';
import { sealSession } from '@/lib/web/auth/session';
import { RateLimitedError } from '@/lib/web/http/rate-limit';
import { createTurns } from './turns';
import { createPersonFinder, createVisitors } from './visitors';

const database = useTestDatabase();
let services: ReturnType<typeof createTestServices>;
let organization: TestOrganization;
let counts: Map<string, number>;

beforeAll(async () => {
  services = createTestServices({ db: database.db });
  organization = await createTestOrganization(services);
});
beforeEach(() => {
  counts = new Map();
});

const rateLimiter = {
  count: async (key: string, limit: number) => {
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    if (count > limit) throw new RateLimitedError({ 'Retry-After': '7' });
    return {};
  },
};

/** Counts requests like the web process, whose sessions are in `services`. */
function open(own: Pick<typeof services, 'db' | 'clock' | 'keyring'> = services) {
  const personOf = createPersonFinder({ ...services, ...own }, 'session');
  const visitors = createVisitors(rateLimiter, { addressOf: () => '203.0.113.7', personOf });
  return (cookie: string, method = 'GET') => {
    const request = Object.assign(new IncomingMessage(new Socket()), { method });
    request.headers = { cookie: `session=${cookie}` };
    return visitors.countRequest(request);
  };
}

const signIn = async () => {
  const { userId } = organization;
  const id = await createSession(services, { userId, address: null, userAgent: null });
  return { id, cookie: await sealSession(services, id) };
};

it('pages of a person count together in all of their sessions, and what they send by itself', async () => {
  const count = open();
  const [one, other] = [await signIn(), await signIn()];
  for (const cookie of [one.cookie, other.cookie]) {
    for (let sent = 0; sent < 300; sent += 1) await count(cookie);
  }
  await expect(count(one.cookie)).rejects.toBeInstanceOf(RateLimitedError);
  await count(one.cookie, 'POST');
  const { userId } = organization;
  expect([...counts]).toEqual([
    [`pages ${userId}`, 601],
    [`sends ${userId}`, 1],
  ]);
});

it('a request without a session counts by address, whatever its cookie contains', async () => {
  const count = open();
  const ended = await sealSession(services, 'ses_of_nobody');
  for (const cookie of ['', 'forged', ended]) await count(cookie);
  expect([...counts]).toEqual([['visitor 203.0.113.7', 3]]);
});

it('a session counts by itself while the database is unavailable', async () => {
  const { id, cookie } = await signIn();
  const db = { $queryRaw: () => Promise.reject(new Error('unavailable')) };
  await open({ ...services, db: db as never })(cookie);
  expect([...counts.keys()]).toEqual([`pages ${id}`]);
});

it('a session that ended counts by address within a minute, though its cookie is used all the time', async () => {
  const clock = createManualClock(new Date());
  const { id, cookie } = await signIn();
  const count = open({ ...services, clock });
  await count(cookie);
  await services.db.session.delete({ where: { id } });
  for (let second = 0; second <= 60; second += 10) {
    await count(cookie);
    clock.advance(10_000);
  }
  await count(cookie);
  expect(counts.get('visitor 203.0.113.7')).toBeGreaterThan(0);
});

type Sent = { url: string; headers: IncomingHttpHeaders };

/** Until each request that can begin has begun: one in each turn of the event loop. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 100; turn += 1) await setImmediate();
}

/** Has requests wait forever, in turns that do not end by themselves, and notes the names of those that began. */
function openTurns() {
  const names = {
    addressOf: ({ headers }: IncomingMessage) => String(headers.from),
    personOf: async () => null,
  };
  const visitors = createVisitors(rateLimiter, names, createTurns({ turnMs: TEST_MS }));
  const requestOf = (sent: Sent) => Object.assign(new IncomingMessage(new Socket()), sent);
  const begun: string[] = [];
  const begin = (name: string, sent: Sent) => {
    const work = () => {
      begun.push(name);
      return new Promise<never>(() => undefined);
    };
    void visitors.inTurn(requestOf(sent), work);
  };
  return { visitors, requestOf, begun, begin };
}

it('requests of a key take turns together however it is spelled, and those without one by address', async () => {
  const addresses = ['203.0.113.7', '2001:db8::1', '2001:db8::2'];
  const key = generateApiKey();
  const { visitors, requestOf, begun, begin } = openTurns();
  const send = (name: string, url: string, headers: IncomingHttpHeaders) => begin(name, { url, headers });
  visitors.acceptKey(requestOf({ url: '/api/monitors', headers: { authorization: `Bearer ${key}` } }));
  const spellings = [`Bearer ${key}`, `bearer ${key}`, `BEARER   ${key}`, `Bearer ${key} `];
  for (const [index, authorization] of spellings.entries())
    send(`key ${index}`, '/api/monitors', { authorization, from: addresses[index % 3] });
  for (const index of [0, 1, 2, 3])
    send(`no key ${index}`, '/api/monitors', {
      authorization: `Bearer made-up-${index}`,
      from: addresses[0],
    });
  for (const index of [0, 1, 2, 3]) send(`network ${index}`, '/setup', { from: addresses[1 + (index % 2)] });
  await settle();
  expect(begun).toEqual(
    ['key', 'no key', 'network'].flatMap((name) => [0, 1, 2].map((each) => `${name} ${each}`)),
  );
});

it('keys that may be made up take turns, and count, by address until one is accepted', async () => {
  const { visitors, requestOf, begun, begin } = openTurns();
  const from = '203.0.113.8';
  const withKey = () => ({
    url: '/api/monitors',
    headers: { authorization: `Bearer ${generateApiKey()}`, from },
  });
  const [accepted, ...others] = Array.from({ length: 4 }, withKey);
  const request = requestOf(accepted ?? withKey());
  expect(visitors.hasUnknownKey(request)).toBe(true);
  await visitors.countRequest(request);
  expect(counts.get(`unknown key ${from}`)).toBe(1);
  for (const [index, other] of others.entries()) begin(`other ${index}`, other);
  begin('before', accepted ?? withKey());
  await settle();
  expect(begun).toEqual(['other 0', 'other 1', 'other 2']);
  visitors.acceptKey(request);
  expect(visitors.hasUnknownKey(request)).toBe(false);
  begin('accepted', accepted ?? withKey());
  await settle();
  expect(begun).toEqual(['other 0', 'other 1', 'other 2', 'accepted']);
});

it('public operations take turns by address, whatever key is sent along', async () => {
  const { begun, begin } = openTurns();
  const open = listOperations().filter(({ scope }) => scope === 'public');
  for (const [index, { path }] of open.entries()) {
    for (let sent = 0; sent < 4; sent += 1) {
      const headers = { authorization: `Bearer ${generateApiKey()}`, from: `198.51.100.${index}` };
      begin(path, { url: `/api${path}?slug=a`, headers });
    }
  }
  await settle();
  expect(begun).toEqual(open.flatMap(({ path }) => Array(3).fill(path)));
});

it('a page beyond the pending requests of a visitor is 429 for them, and no failure of the page', async () => {
  const { visitors, requestOf, begin } = openTurns();
  const request = { url: '/status/a', headers: { from: '203.0.113.7' } };
  for (let sent = 0; sent < 3 + 300; sent += 1) begin('pending', request);
  await settle();
  const refused = await visitors.askInTurn(requestOf(request), { isDocument: true }, async () => null);
  expect([refused?.status, refused?.headers['retry-after']]).toEqual([429, '1']);
});
