import { request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { createSession } from '@/lib/domain/people/sessions';
import type { Visibility } from '@/lib/schemas/status-pages/visibility';
import { createTestOrganization, createTestServices } from '@/lib/testing/services';
import { waitFor } from '@/lib/testing/wait-for';
import { sealSession, sessionCookieName } from '@/lib/web/auth/session';
import { APP, pathOf, type TwoProcesses } from './two-processes';
import type { WebProcess } from './web-process';

/** What a private page must not show to others: its name, and that of a monitor and an incident. */
export const SECRETS = ['Periscope', 'Submarine', 'Torpedo'];
export const PASSWORD = 'correct horse';

/** The documents and the data below the address of a page. */
const documents = (incidentId: string) => [
  '',
  '/history',
  '/search?q=torpedo',
  `/incidents/${incidentId}`,
  '/subscribe',
];
const DATA = [
  '/status.json',
  '/feed.atom',
  '/feed.rss',
  '/maintenance.ics',
  '/badge.svg',
  '/embed',
  '/api/v2/summary.json',
  '/api/v2/status.json',
  '/api/v2/components.json',
  '/api/v2/incidents.json',
  '/api/v2/incidents/unresolved.json',
  '/api/v2/scheduled-maintenances.json',
  '/api/v2/scheduled-maintenances/upcoming.json',
  '/api/v2/scheduled-maintenances/active.json',
];

/** How a page is reached: below the app, on its own domain, or at the public endpoint of the API. */
export type Address = { host: string; path: string };
export type Response = {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
};

type Sent = { method?: string; headers?: Record<string, string>; body?: string };

/** Sends a request to a process, and decompresses the response. */
export function send(
  web: WebProcess,
  { host, path }: Address,
  { method = 'GET', headers = {}, body }: Sent = {},
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const { port } = new URL(web.url);
    const sent = request({
      host: '127.0.0.1',
      port,
      path,
      method,
      headers: { host, ...headers },
      agent: false,
    });
    sent.on('response', async (response) => {
      const encoding = response.headers['content-encoding'];
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk);
      const bytes = Buffer.concat(chunks);
      const plain = bytes.length === 0 ? bytes : decompress(encoding, bytes);
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body: plain.toString() });
    });
    sent.on('error', reject).end(body);
  });
}

function decompress(encoding: string | undefined, bytes: Buffer): Buffer {
  if (encoding === 'gzip') return gunzipSync(bytes);
  return encoding === 'br' ? brotliDecompressSync(bytes) : bytes;
}

let visitors = 0;

/** Headers of another visitor, whom no rate limit knows; `network` has one byte left. */
export function newVisitor(network = '203.0.113'): Record<string, string> {
  visitors += 1;
  const address = network.includes(':')
    ? `${network}${visitors.toString(16)}::1`
    : `${network}.${visitors % 250}`;
  return { 'x-forwarded-for': address };
}

/** The cookies of a browser in which the owner of a new organization, or of that of the test, is signed in. */
export async function signIn({ db, own }: TwoProcesses, who: 'member' | 'stranger'): Promise<string> {
  const services = createTestServices({ db });
  const { organizationId } = who === 'member' ? own : await createTestOrganization(services);
  const { userId } = await db.membership.findFirstOrThrow({ where: { organizationId } });
  const sessionId = await createSession(services, { userId, address: null, userAgent: null });
  return `${sessionCookieName(false)}=${await sealSession(services, sessionId)}`;
}

/** The cookie that a response sets. */
export function cookieOf({ headers }: Response): string {
  return String(headers['set-cookie'] ?? '').split(';')[0] ?? '';
}

/** Enters a password on a page, as its form does. */
export function enterPassword(
  web: WebProcess,
  page: Address,
  password: string,
  headers: Record<string, string> = {},
): Promise<Response> {
  return send(
    web,
    { ...page, path: `${page.path === '/' ? '' : page.path}/access` },
    {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'sec-fetch-site': 'same-origin',
        ...newVisitor('2001:db8:1:'),
        ...headers,
      },
      body: new URLSearchParams({ password }).toString(),
    },
  );
}

/** Follows a member from the domain of a page to the app and back; the pass that they get there. */
export async function passOnDomain(web: WebProcess, domain: string, session: string): Promise<string> {
  const first = await send(web, { host: domain, path: '/' }, { headers: newVisitor('2001:db8:2:') });
  const toApp = new URL(String(first.headers.location));
  const headers = { cookie: session, ...newVisitor('2001:db8:2:') };
  const second = await send(web, { host: APP, path: toApp.pathname + toApp.search }, { headers });
  const back = new URL(String(second.headers.location));
  const ticket = { host: back.host, path: back.pathname + back.search };
  return cookieOf(await send(web, ticket, { headers: newVisitor('2001:db8:2:') }));
}

/** What of a private page is in a response. */
export function leaksOf({ body, headers }: Response): string[] {
  return SECRETS.filter((secret) => `${JSON.stringify(headers)} ${body}`.includes(secret));
}

/** A published page with something to hide, at two addresses, each read before so that both processes have copies of all of it. */
export async function addSecretPage({ api, addPage }: TwoProcesses) {
  const { slug, id, monitorId } = await addPage();
  const domain = `${slug}.acme.test`;
  await api('PUT', `/monitors/${monitorId}`, { name: 'Submarine' });
  await api('PUT', `/status-pages/${slug}`, { name: 'Periscope', customDomain: domain });
  const { body: incident } = await api('POST', '/incidents', {
    title: 'Torpedo',
    affectedMonitors: [monitorId],
  });
  const { body: token } = await api('POST', `/status-pages/${slug}/tokens`, { name: 'Reader' });
  const below = (path: string): Address => ({ host: APP, path: `/status/${slug}${path}` });
  const onDomain = (path: string): Address => ({ host: domain, path: path || '/' });
  const apiPath = { host: APP, path: pathOf(slug) };
  return {
    slug,
    id,
    domain,
    token: token.token as string,
    tokenId: token.id as string,
    below,
    onDomain,
    documents: documents(incident.id).flatMap((path) => [below(path), onDomain(path)]),
    data: [...DATA.flatMap((path) => [below(path), onDomain(path)]), apiPath],
  };
}

export type SecretPage = Awaited<ReturnType<typeof addSecretPage>>;

/** What makes a page private. */
export const PRIVATE: Record<Exclude<Visibility, 'public'>, object> = {
  password: { visibility: 'password', password: PASSWORD },
  ip: { visibility: 'ip', allowedCidrs: ['198.51.100.0/24', '2001:db8:a::/48'] },
  members: { visibility: 'members' },
};

/**
 * Makes a page private, and waits until no process has copies of it. The one that is asked drops them before it responds; another hears
 * of it from PostgreSQL, usually within milliseconds and here within a second.
 */
export async function makePrivate(
  { api, everywhere }: TwoProcesses,
  { slug }: SecretPage,
  visibility: keyof typeof PRIVATE,
): Promise<void> {
  await api('PUT', `/status-pages/${slug}`, PRIVATE[visibility]);
  for (const { web, host } of everywhere) {
    const read = () => send(web, { host, path: pathOf(slug) }, { headers: newVisitor('2001:db8:6:') });
    await waitFor(async () => expect(leaksOf(await read())).toEqual([]), { interval: 10 });
  }
}
