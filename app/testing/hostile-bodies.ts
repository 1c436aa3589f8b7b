import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll } from 'vitest';
import { patience } from '@/bin/testing/patience.mjs';
import { startWebProcess, type WebProcess } from '@/bin/web/testing/web-process';
import { createSession } from '@/lib/domain/people/sessions';
import { addPage } from '@/lib/domain/status-pages/testing/pages';
import { createTestDatabase, type TestDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices, TEST_SECRET_KEY } from '@/lib/testing/services';
import { sealSession, sessionCookieName } from '@/lib/web/auth/session';

/** The longest time that a request may block the event loop, in CPU time of a machine as fast as the one that SECURITY.md means. */
export const MAX_BLOCKED_MS = patience(200);
/** Work of the process itself, such as collecting garbage, can block it as well, but not every time. */
const MAX_ATTEMPTS = 4;

export const JSON_TYPE = { 'content-type': 'application/json' };
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' };
const MEGABYTE = 1024 * 1024 - 200;
const repeat = (text: string, bytes = MEGABYTE) => text.repeat(Math.floor(bytes / text.length));
const list = (count: number, item = '1') => `[${Array(count).fill(item).join()}]`;
const keys = (count: number, value = '1') =>
  `{${Array.from({ length: count }, (_, index) => `"k${index}":${value}`).join()}}`;

const LARGE = `((((${'a'.repeat(450)}){9}){9}){9})`;
export const FOLDED = `(?i)${'\\pL'.repeat(160)}`;
const LOOPS = `${'{% for a in (1..400) %}'.repeat(3)}x${'{% endfor %}'.repeat(3)}`;
/** Each of them different. */
export const patterns = (target: string, count: number) =>
  `"assertions":${JSON.stringify(
    Array.from({ length: count }, (_, index) => {
      return { source: 'body', comparison: 'matches', target: `${target}${index}` };
    }),
  )}`;

/** A web process whose event loop is watched, and who is signed in there. */
export type LoopProbe = {
  apiKey: string;
  cookie: string;
  /** The headers that call the server action behind the form of a page. */
  action(path: string): Record<string, string>;
  /** Sends a request, repeatedly if needed, and returns how long it blocked the event loop, with its status. */
  measure(hostile: Hostile): Promise<{ blocked: number; status: number }>;
};

type Hostile = { path: string; method?: string; body?: () => BodyInit; headers?: Record<string, string> };

/** Starts a web process for the tests of a file. The result is filled before the first test. */
export function watchLoop(): LoopProbe {
  let database: TestDatabase;
  const probe = {} as LoopProbe;
  let directory: string;
  let web: WebProcess;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'pharos-held-'));
    database = await createTestDatabase();
    const services = createTestServices({ db: database.db });
    const { ctx, apiKey, userId } = await createTestOrganization(services);
    await addPage(ctx, { slug: 'acme', published: true });
    const session = await createSession(services, { userId, address: null, userAgent: null });
    const cookie = `${sessionCookieName(false)}=${await sealSession(services, session)}`;
    const script = fileURLToPath(new URL('./event-loop-probe.mjs', import.meta.url));
    web = await startWebProcess({
      DATABASE_URL: database.url,
      SECRET_KEY: TEST_SECRET_KEY,
      LOG_LEVEL: 'warn',
      NODE_OPTIONS: `--import=file://${script}?port-file=${join(directory, 'port')}`,
    });
    const port = await readFile(join(directory, 'port'), 'utf8');
    const actions = new Map<string, string>();
    for (const path of ['/sign-in', '/monitors/new', '/incidents/new']) {
      actions.set(path, await findAction(web, path, path === '/sign-in' ? {} : { cookie }));
    }
    Object.assign(probe, {
      apiKey,
      cookie,
      action: (path: string) => ({ cookie, 'next-action': actions.get(path) ?? '' }),
      measure: (hostile: Hostile) => measure(web, port, hostile),
    });
    await readBlocked(port);
  });
  afterAll(async () => {
    await web?.stop();
    await database?.close();
    await rm(directory, { recursive: true, force: true });
  });
  return probe;
}

/** Forms work without scripts, so the page contains the ID of its action. */
async function findAction(
  { url }: WebProcess,
  path: string,
  headers: Record<string, string>,
): Promise<string> {
  const html = await (await fetch(`${url}${path}`, { headers })).text();
  const action = /[0-9a-f]{42}/.exec(html.replaceAll('&quot;', '"').split('$ACTION_').slice(1).join())?.[0];
  if (action === undefined) throw new Error(`${path} has no form: ${html.slice(0, 200)}`);
  return action;
}

/** The longest time that the event loop was blocked since the last call, in milliseconds. */
async function readBlocked(port: string): Promise<number> {
  const { blockedMs } = await (await fetch(`http://127.0.0.1:${port}`)).json();
  return blockedMs;
}

async function measure({ url }: WebProcess, port: string, { path, method = 'POST', body, headers }: Hostile) {
  let blocked = Number.POSITIVE_INFINITY;
  let status = 0;
  for (let attempt = 0; attempt < MAX_ATTEMPTS && blocked > MAX_BLOCKED_MS; attempt++) {
    const sent = body?.();
    await readBlocked(port);
    const response = await fetch(`${url}${path}`, { method, body: sent, headers, redirect: 'manual' });
    await response.arrayBuffer();
    status = response.status;
    blocked = Math.min(blocked, await readBlocked(port));
  }
  return { blocked, status };
}

function multipart(fields: Iterable<[string, string]>): FormData {
  const form = new FormData();
  for (const [name, value] of fields) form.append(name, value);
  return form;
}

const many = (count: number, value = '', name = 'field'): FormData =>
  multipart(Array.from({ length: count }, (_, index) => [`${name}${index}`, value]));

export const monitor = (fields: string) => `{"name":"a","url":"http://a.test",${fields}}`;
const statusPage = (fields: string) => `{"name":"a","slug":"b",${fields}}`;
const maintenance = (fields: string) => `{"title":"a","monitors":[],${fields}}`;
const unknownMonitors = Array.from({ length: 4900 }, (_, index) => `"mon_${index}"`).join();
const objects = Array.from({ length: 80_000 }, (_, index) => `{"${index}":0}`).join();

/** Bodies of the API: what they are, where they are sent, and the text. */
export const API_BODIES: [string, string, () => string][] = [
  ['150,000 numbers', '/status-pages', () => statusPage(`"monitors":${list(150_000)}`)],
  ['9,000 numbers', '/status-pages', () => statusPage(`"monitors":${list(9000)}`)],
  ['4,900 unknown monitors', '/status-pages', () => statusPage(`"monitors":[${unknownMonitors}]`)],
  ['9,000 regions', '/monitors', () => monitor(`"regions":${list(9000, '"x"')}`)],
  ['80,000 unknown keys', '/monitors', () => keys(80_000)],
  ['9,000 unknown keys', '/monitors', () => keys(9000)],
  ['9,000 headers', '/monitors', () => monitor(`"headers":${keys(9000, '"\\n"')}`)],
  ['340,000 arrays', '/monitors', () => list(340_000, '[]')],
  ['80,000 objects', '/monitors', () => `[${objects}]`],
  ['500,000 levels', '/monitors', () => repeat('[')],
  ['a name of 1 MiB', '/monitors', () => `{"name":"${repeat('é', MEGABYTE / 2)}","url":"http://a.test"}`],
  ['a URL of 1 MiB', '/monitors', () => `{"name":"a","url":"http://${repeat('a.')}"}`],
  ['a key of 1 MiB', '/monitors', () => `{"${repeat('a')}":1}`],
  ['a header of 1 MiB', '/monitors', () => monitor(`"headers":{"a":"${repeat('a ')}"}`)],
  ['a body of 1 MiB', '/monitors', () => monitor(`"method":"POST","body":"${repeat('a')}"`)],
  [
    'a rule of 1 MiB',
    '/maintenance',
    () => maintenance(`"startsAt":"x","endsAt":"x","rrule":"${repeat('FREQ=DAILY;')}"`),
  ],
  [
    'a moment of 1 MiB',
    '/maintenance',
    () => maintenance(`"startsAt":"2027-01-31T12:00:00.${repeat('0')}Z"`),
  ],
  ['an address of 1 MiB', '/invitations', () => `{"email":"${repeat('a.', 1_000_000)}@${'a.'.repeat(100)}"}`],
  ['a domain of 1 MiB', '/status-pages', () => statusPage(`"monitors":[],"customDomain":"${repeat('a-')}"`)],
  ['a slug of 1 MiB', '/status-pages', () => `{"name":"a","slug":"${repeat('a-')}","monitors":[]}`],
  ['a webhook of 1 MiB', '/webhooks', () => `{"url":"http://a.test/${repeat('%41')}"}`],
  ['20 patterns that repeat 328,050 times', '/monitors', () => monitor(patterns(LARGE, 20))],
  ['20 patterns of 160 folded classes', '/monitors', () => monitor(patterns(FOLDED, 20))],
  [
    'a template of three loops',
    '/webhooks',
    () => JSON.stringify({ url: 'http://a.test', format: 'custom', template: LOOPS }),
  ],
  ['9,000 events', '/webhooks', () => `{"url":"http://a.test","events":${list(9000, '"monitor.up"')}}`],
];

/** Bodies of pages: also the headers. */
export const PAGE_BODIES: [string, string, () => BodyInit, (probe: LoopProbe) => Record<string, string>][] = [
  ['16,000 fields', '/sign-in', () => many(16_000), ({ cookie }) => ({ cookie })],
  ['16,000 fields of an action', '/sign-in', () => many(16_000), (probe) => probe.action('/sign-in')],
  ['490 fields of 4 KiB', '/sign-in', () => many(490, 'x'.repeat(4000)), ({ cookie }) => ({ cookie })],
  [
    'a field of 2 MB',
    '/sign-in',
    () => multipart([['email', repeat('a@', 2_000_000)]]),
    ({ cookie }) => ({ cookie }),
  ],
  [
    'a model of 600,000 arrays',
    '/sign-in',
    () => multipart([['0', list(600_000, '[]')]]),
    (probe) => probe.action('/sign-in'),
  ],
  ['arguments of 600,000 arrays', '/sign-in', () => list(600_000, '[]'), (probe) => probe.action('/sign-in')],
  [
    'arguments of a million levels',
    '/sign-in',
    () => repeat('[', 2_000_000),
    (probe) => probe.action('/sign-in'),
  ],
  [
    'an argument of 2 MB',
    '/sign-in',
    () => `["${repeat('x', 2_000_000)}"]`,
    (probe) => probe.action('/sign-in'),
  ],
  [
    'a million empty fields',
    '/sign-in',
    () => repeat('&', 2_000_000),
    (probe) => ({ ...probe.action('/sign-in'), ...FORM_TYPE }),
  ],
  [
    'a new monitor with a million header lines',
    '/monitors/new',
    () =>
      multipart([
        ['1_headers', repeat('a:b\n', 1_400_000)],
        ['1_type', 'http'],
        ['0', '[{},"$K1"]'],
      ]),
    (probe) => probe.action('/monitors/new'),
  ],
  [
    'a new monitor with a million tags',
    '/monitors/new',
    () =>
      multipart([
        ['1_tags', repeat('a,', 1_900_000)],
        ['1_regions', 'x'],
        ['0', '[{},"$K1"]'],
      ]),
    (probe) => probe.action('/monitors/new'),
  ],
  [
    'a new incident with a million monitors',
    '/incidents/new',
    () =>
      multipart([
        ['1_affectedMonitors', repeat('a,', 1_900_000)],
        ['0', '[{},"$K1"]'],
      ]),
    (probe) => probe.action('/incidents/new'),
  ],
  [
    'a test of a form with 9,000 fields',
    '/monitors/test',
    () => `{"typed":${keys(9000, '"x"')}}`,
    ({ cookie }) => ({ cookie, ...JSON_TYPE }),
  ],
  [
    'a test of a form with a million header lines',
    '/monitors/test',
    () =>
      JSON.stringify({
        typed: { type: 'http', headers: repeat('a:b\n', 900_000), url: 'x' },
        region: 'us-east',
        source: null,
      }),
    ({ cookie }) => ({ cookie, ...JSON_TYPE }),
  ],
  [
    'a preview of 90,000 monitors',
    '/preview/status-page',
    () => `page=${list(90_000)}`,
    ({ cookie }) => ({ cookie, ...FORM_TYPE }),
  ],
  ['a million fields to subscribe', '/status/acme/subscribe', () => repeat('&'), () => FORM_TYPE],
  [
    'an address of 1 MiB to subscribe',
    '/status/acme/subscribe',
    () => `email=${repeat('a.')}@`,
    () => FORM_TYPE,
  ],
  [
    'a million fields to sign in',
    '/api/auth/callback/credentials',
    () => repeat('a&', 2_000_000),
    () => FORM_TYPE,
  ],
  ['600,000 arrays to sign in', '/api/auth/callback/credentials', () => list(600_000, '[]'), () => JSON_TYPE],
  [
    'a password of 2 MB',
    '/api/auth/callback/credentials',
    () => `email=a@example.com&password=${repeat('x', 2_000_000)}`,
    () => FORM_TYPE,
  ],
];

/** Of each of these kinds of bodies, `npm test` sends one: numbers of values, depth, length, patterns, templates, fields, and lines. */
export const REPRESENTATIVE = [
  '9,000 numbers',
  '500,000 levels',
  'a rule of 1 MiB',
  'a URL of 1 MiB',
  '20 patterns that repeat 328,050 times',
  'a template of three loops',
  '16,000 fields of an action',
  'a model of 600,000 arrays',
  'a new monitor with a million header lines',
  'a password of 2 MB',
];
