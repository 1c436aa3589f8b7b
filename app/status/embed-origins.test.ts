import { type IncomingHttpHeaders, request } from 'node:http';
import { beforeAll, describe, expect, it } from 'vitest';
import { borrowTenant } from '@/app/api/testing/borrow-tenant';

const HOST = 'framed.acme.test';
const LISTED = ['https://www.example.com', 'https://*.example.org:8443'];

const setting = borrowTenant();
let incident: string;

beforeAll(async () => {
  const { api } = setting.tenant;
  const target = { name: 'Shop', url: 'http://127.0.0.1:9/', enabled: false };
  const monitors = [(await api('POST', '/monitors', target)).body.id];
  const add = async (slug: string, fields: object) => {
    const page = { name: 'Acme', slug, monitors, published: true, ...fields };
    expect(await api('POST', '/status-pages', page)).toMatchObject({ status: 201 });
  };
  await add('framed-none', {});
  await add('framed-listed', { embedOrigins: LISTED, customDomain: HOST });
  await add('framed-anyone', { embedOrigins: ['*'] });
  await add('framed-changed', { embedOrigins: LISTED });
  await add('framed-password', { embedOrigins: ['*'], visibility: 'password', password: 'correct horse' });
  await add('framed-members', { embedOrigins: ['*'], visibility: 'members' });
  incident = (await api('POST', '/incidents', { title: 'Trouble', affectedMonitors: monitors })).body.id;
});

let visitors = 0;

type Head = { status: number | undefined; headers: IncomingHttpHeaders };

/** The head of the response for a new visitor: limits are for each address. */
function get(path: string, headers: Record<string, string> = {}): Promise<Head> {
  visitors += 1;
  const own = { 'X-Forwarded-For': `198.51.107.${visitors}`, ...headers };
  return new Promise((resolve, reject) => {
    const sent = request(`${setting.service.url}${path}`, { headers: own }, (response) => {
      response.resume();
      resolve({ status: response.statusCode, headers: response.headers });
    });
    sent.on('error', reject).end();
  });
}

/** Who may frame it, by its policy; X-Frame-Options, which knows no origins, would contradict that. */
function framersOf({ headers }: Head): string {
  expect(headers['x-frame-options']).toBeUndefined();
  const policy = String(headers['content-security-policy']).split('; ');
  return policy.find((rule) => rule.startsWith('frame-ancestors '))?.slice('frame-ancestors '.length) ?? '';
}

const paths = () => ['', '/history', '/search?q=trouble', `/incidents/${incident}`];

describe.each([
  ['framed-none', "'none'"],
  ['framed-listed', LISTED.join(' ')],
  ['framed-anyone', '*'],
])('the documents of the public page %s', (slug, framers) => {
  it(`can be framed by ${framers}, also as they are stored and where nothing changed`, async () => {
    for (const path of paths()) {
      for (let times = 0; times < 2; times += 1) {
        const response = await get(`/status/${slug}${path}`);
        expect([path, response.status, framersOf(response)]).toEqual([path, 200, framers]);
        const { etag } = response.headers;
        if (etag === undefined) continue;
        const unchanged = await get(`/status/${slug}${path}`, { 'If-None-Match': etag });
        expect([path, unchanged.status, framersOf(unchanged)]).toEqual([path, 304, framers]);
      }
    }
  });
});

it('the domain of a page has the same policy', async () => {
  for (const path of ['/', '/history', `/incidents/${incident}`]) {
    const response = await get(path, { Host: HOST });
    expect([path, response.status, framersOf(response)]).toEqual([path, 200, LISTED.join(' ')]);
  }
});

it('its forms, and what is not found, cannot be framed', async () => {
  for (const path of ['/subscribe', '/incidents/inc_none', '/unsubscribe?token=x']) {
    expect([path, framersOf(await get(`/status/framed-anyone${path}`))]).toEqual([path, "'none'"]);
  }
});

it('a private page cannot be framed, whatever it allows', async () => {
  for (const slug of ['framed-password', 'framed-members']) {
    for (const path of paths()) {
      expect([path, framersOf(await get(`/status/${slug}${path}`))]).toEqual([path, "'none'"]);
    }
  }
  const entered = await fetch(`${setting.service.url}/status/framed-password/access`, {
    method: 'POST',
    headers: { 'Sec-Fetch-Site': 'same-origin', 'X-Forwarded-For': '198.51.107.250' },
    body: new URLSearchParams({ password: 'correct horse' }),
    redirect: 'manual',
  });
  const cookie = entered.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const admitted = await get('/status/framed-password', { Cookie: cookie });
  expect([admitted.status, framersOf(admitted)]).toEqual([200, "'none'"]);
});

it('the one-line embed can be framed by anyone, as before', async () => {
  expect(framersOf(await get('/status/framed-none/embed'))).toBe('*');
});

it('a change applies to the next request, also of a browser that has the page', async () => {
  const { api } = setting.tenant;
  const path = '/status/framed-changed';
  const change = (fields: object) => api('PUT', '/status-pages/framed-changed', fields);
  const { etag = '' } = (await get(path)).headers;
  const fresh = { 'If-None-Match': etag };
  expect((await change({ embedOrigins: [] })).body.embedOrigins).toEqual([]);
  const closed = await get(path, fresh);
  expect([closed.status, framersOf(closed)]).toEqual([200, "'none'"]);
  await change({ embedOrigins: ['*'] });
  expect(framersOf(await get(path))).toBe('*');
  await change({ visibility: 'members' });
  expect(framersOf(await get(path))).toBe("'none'");
});
