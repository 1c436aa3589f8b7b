import { createServer, type RequestListener } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { beforeAll, describe, expect, it } from 'vitest';
import { type HttpListener, listenLocally } from '@/lib/testing/http-listener';
import { boundBodies } from './bounded-bodies';

let listener: HttpListener;
/** What was handed on to the application. */
let passed: { method?: string; url?: string; type?: string; body: string }[] = [];

beforeAll(async () => {
  const application: RequestListener = async (request, response) => {
    const body = (await buffer(request)).toString();
    passed.push({ method: request.method, url: request.url, type: request.headers['content-type'], body });
    response.end('passed');
  };
  listener = await listenLocally(createServer(boundBodies(application, { sessionCookie: 'session' })));
  return listener.close;
});

/** Sends a body with a session, unless `headers` have another cookie. */
async function post(body: BodyInit, headers: Record<string, string> = {}, path = '/sign-in') {
  passed = [];
  const sent = { cookie: 'session=x', ...headers };
  const response = await fetch(`${listener.url}${path}`, { method: 'POST', body, headers: sent });
  return { status: response.status, text: await response.text() };
}

function form(fields: number, name = (index: number) => `field-${index}`): FormData {
  const made = new FormData();
  for (let index = 0; index < fields; index++) made.append(name(index), 'x');
  return made;
}

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const ARRAYS = `[${'[],'.repeat(20_000)}[]]`;

describe('a form is forwarded unchanged', () => {
  it('with up to 500 fields, in either encoding', async () => {
    expect(await post(form(500))).toEqual({ status: 200, text: 'passed' });
    expect(passed).toMatchObject([
      { method: 'POST', url: '/sign-in', type: expect.stringContaining('boundary=') },
    ]);
    expect(passed[0]?.body.match(/name="field-/g)).toHaveLength(500);
    expect((await post(`${'a=1&'.repeat(499)}b=2`, FORM)).status).toBe(200);
    expect(passed[0]?.body).toHaveLength(4 * 499 + 3);
  });

  it('with any text in a field', async () => {
    const field = new FormData();
    field.append('1_body', ARRAYS);
    field.append('0', '["$@1","$K2"]');
    expect((await post(field)).status).toBe(200);
    const typed = form(0);
    typed.append('password', 'x'.repeat(1_000_000));
    expect((await post(typed)).status).toBe(200);
  });

  it('like a request to the API, which reads its own body', async () => {
    const json = { 'content-type': 'application/json' };
    expect((await post(ARRAYS, json, '/api/monitors')).status).toBe(200);
    expect((await post(ARRAYS, json, '/api/monitors/by-ref/auth-service')).status).toBe(200);
  });
});

describe('a body that is expensive to decode is rejected', () => {
  it.each<[string, number, () => BodyInit, Record<string, string>?, string?]>([
    ['a form of 501 fields', 400, () => form(501)],
    ['a form of 16,000 fields', 400, () => form(16_000)],
    ['a form of 500,000 empty fields', 400, () => '&'.repeat(500_000), FORM],
    ['the arguments of an action with 20,000 values', 400, () => ARRAYS, { 'next-action': 'x' }],
    ['the same at a path of next-auth', 400, () => ARRAYS, {}, '/api/auth/callback/credentials'],
    ['the same at another spelling of the path', 400, () => ARRAYS, {}, '/api/%61uth/callback/credentials'],
    ['the same at a path that leads there', 400, () => ARRAYS, {}, '/api/monitors/by-ref/..%2Fauth'],
    [
      'a part that React parses as JSON',
      400,
      () => {
        const made = new FormData();
        made.append('0', ARRAYS);
        return made;
      },
    ],
    ['such a field of the other encoding', 400, () => `0=${encodeURIComponent(ARRAYS)}`, FORM],
    [
      'such a part after a head that no browser sends',
      400,
      () => `--b\r\nContent-Disposition: form-data; name="a"; name="0"\r\n\r\n${ARRAYS}\r\n--b--`,
      { 'content-type': 'multipart/form-data; boundary=b' },
    ],
    [
      'a form with two boundaries',
      400,
      () => '--b--',
      { 'content-type': 'multipart/form-data; boundary=a; boundary=b' },
    ],
    [
      'more than 64 KiB to next-auth',
      413,
      () => 'x'.repeat(65 * 1024),
      FORM,
      '/api/auth/callback/credentials',
    ],
    ['more than 64 KiB without a session', 413, () => 'x'.repeat(65 * 1024), { ...FORM, cookie: 'other=x' }],
    ['more than 2 MiB', 413, () => 'x'.repeat(2 * 1024 * 1024 + 1), { 'content-type': 'text/plain' }],
  ])('%s', async (_, status, body, headers, path) => {
    const response = await post(body(), headers, path);
    expect(response.status).toBe(status);
    expect(JSON.parse(response.text).error.code).toBe(
      status === 413 ? 'PAYLOAD_TOO_LARGE' : 'VALIDATION_ERROR',
    );
    expect(passed).toEqual([]);
  });
});

it('a body without a length is rejected as soon as it is too large, and the client gets the error', async () => {
  const chunk = new Uint8Array(256 * 1024);
  let sent = 0;
  const endless = new ReadableStream({
    pull: (controller) => {
      sent += chunk.length;
      if (sent > 64 * 1024 * 1024) controller.close();
      else controller.enqueue(chunk);
    },
  });
  const response = await fetch(`${listener.url}/sign-in`, {
    method: 'POST',
    body: endless,
    duplex: 'half',
  } as RequestInit);
  expect(response.status).toBe(413);
  await response.body?.cancel();
});
