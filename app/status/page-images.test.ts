import { request } from 'node:http';
import { beforeAll, describe, expect, it } from 'vitest';
import { borrowTenant } from '@/app/api/testing/borrow-tenant';
import { bitmap, icoImage, pngImage, writtenImage } from '@/lib/core/images/testing/samples';

const DOMAIN = 'images.acme.test';
const LOGO = pngImage({ width: 120, height: 40 });
const IMMUTABLE = 'public, max-age=31536000, immutable';

const setting = borrowTenant();

/** Uploads a file, whatever it is said to be. */
async function upload(path: string, bytes: Uint8Array<ArrayBuffer>, type = 'application/octet-stream') {
  const response = await fetch(`${setting.service.url}/api/status-pages/${path}`, {
    method: 'PUT',
    headers: { Authorization: `Bearer ${setting.tenant.apiKey}`, 'Content-Type': type },
    body: bytes,
  });
  return { status: response.status, body: await response.json() };
}

let visitors = 0;
/** A request of a new visitor: limits are for each address. */
function get(path: string, headers: Record<string, string> = {}) {
  visitors += 1;
  const own = { 'X-Forwarded-For': `198.51.105.${visitors}`, ...headers };
  return fetch(`${setting.service.url}${path}`, { headers: own, redirect: 'manual' });
}

async function addPage(slug: string, fields: object = {}): Promise<void> {
  const page = { name: 'Acme', slug, monitors: [], published: true, ...fields };
  expect(await setting.tenant.api('POST', '/status-pages', page)).toMatchObject({ status: 201 });
}

let path: string;
beforeAll(async () => {
  await addPage('img-acme', { customDomain: DOMAIN, appearance: 'automatic' });
  ({
    body: { logoUrl: path },
  } = await upload('img-acme/logo', LOGO));
});

describe('an uploaded image', () => {
  it.each([
    ['logo', LOGO, 'image/png'],
    ['dark-logo', writtenImage('jpg'), 'image/jpeg'],
    ['favicon', icoImage([bitmap(16), bitmap(32)]), 'image/vnd.microsoft.icon'],
    ['favicon', writtenImage('lossless'), 'image/webp'],
  ])('is what its bytes are, and can neither run nor load anything: %s', async (place, bytes, mediaType) => {
    const slug = `img-${place}-${mediaType.length}`;
    await addPage(slug);
    const { status, body } = await upload(`${slug}/${place}`, bytes, 'image/png');
    expect(status).toBe(200);
    const url = body[{ logo: 'logoUrl', 'dark-logo': 'darkLogoUrl' }[place] ?? 'faviconUrl'];
    const response = await get(url);
    expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true);
    const headers = Object.fromEntries(response.headers);
    expect(headers).toMatchObject({
      'content-type': mediaType,
      'cache-control': IMMUTABLE,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    });
    expect(Object.keys(headers).filter((name) => name.startsWith('x-pharos-'))).toEqual([]);
  });

  it('is shown in its size, at an address below that of the page, which its policy allows', async () => {
    const response = await get('/status/img-acme');
    const html = await response.text();
    expect(html).toContain(`<img src="${path}" alt="" height="40" width="120"`);
    expect(response.headers.get('content-security-policy')).toContain("img-src data: 'self';");
    expect(response.headers.get('x-pharos-parts')).toBeNull();
    const json = await (await get('/api/status-pages/public?slug=img-acme')).json();
    expect(json).toMatchObject({ logoUrl: path });
  });

  it('is on the domain of the page, too', async () => {
    const onDomain = (asked: string) =>
      new Promise<{ status: number | undefined; type: string | undefined; body: string }>(
        (resolve, reject) => {
          request(`${setting.service.url}${asked}`, { headers: { Host: DOMAIN } }, async (response) => {
            const chunks: Buffer[] = [];
            for await (const chunk of response) chunks.push(chunk);
            const { 'content-type': type } = response.headers;
            resolve({ status: response.statusCode, type, body: Buffer.concat(chunks).toString('latin1') });
          })
            .on('error', reject)
            .end();
        },
      );
    const own = path.replace('/status/img-acme', '');
    expect((await onDomain('/')).body).toContain(`<img src="${own}"`);
    expect(await onDomain(own)).toEqual({ status: 200, type: 'image/png', body: LOGO.toString('latin1') });
    expect((await onDomain(path)).status, 'the path on the host of the app').toBe(404);
  });

  it('is sent once: 304 with its tag, and without a body to HEAD', async () => {
    const etag = (await get(path)).headers.get('etag') ?? '';
    expect((await get(path, { 'If-None-Match': etag })).status).toBe(304);
  });

  it('no longer exists at its address once it is replaced or deleted, or the page is', async () => {
    await addPage('img-moves');
    const first = (await upload('img-moves/logo', LOGO)).body.logoUrl;
    expect((await get(first)).status).toBe(200);
    const second = (await upload('img-moves/logo', pngImage({ width: 9, height: 9 }))).body.logoUrl;
    expect([(await get(first)).status, (await get(second)).status]).toEqual([404, 200]);
    await setting.tenant.api('PUT', '/status-pages/img-moves', { slug: 'img-moved' });
    expect([(await get(second)).status, (await get(second.replace('moves', 'moved'))).status]).toEqual([
      404, 200,
    ]);
    await setting.tenant.api('PUT', '/status-pages/img-moved', { published: false });
    expect((await get(second.replace('moves', 'moved'))).status).toBe(404);
    await setting.tenant.api('PUT', '/status-pages/img-moved', { published: true });
    await setting.tenant.api('DELETE', '/status-pages/img-moved/logo');
    expect((await get(second.replace('moves', 'moved'))).status).toBe(404);
  });

  it('is not that of another page', async () => {
    await addPage('img-other');
    expect((await get(path.replace('img-acme', 'img-other'))).status).toBe(404);
  });
});

describe('an image of a private page', () => {
  it('is for who may see the page, and stored nowhere', async () => {
    await addPage('img-private', { visibility: 'password', password: 'correct horse' });
    const { logoUrl } = (await upload('img-private/logo', LOGO)).body;
    expect((await get(logoUrl)).status).toBe(404);
    const form = await (await get('/status/img-private')).text();
    expect(form).not.toContain('/images/');
    const entered = await fetch(`${setting.service.url}/status/img-private/access`, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'X-Forwarded-For': '198.51.106.1', Origin: setting.service.url },
      body: new URLSearchParams({ password: 'correct horse' }),
    });
    const cookie = entered.headers.get('set-cookie')?.split(';')[0] ?? '';
    const shown = await get(logoUrl, { Cookie: cookie });
    expect([shown.status, shown.headers.get('cache-control')]).toEqual([200, 'private, no-store']);
    const { body: token } = await setting.tenant.api('POST', '/status-pages/img-private/tokens', {
      name: 'Wall',
    });
    expect((await get(`${logoUrl}?token=${token.token}`)).status).toBe(200);
    expect((await get(logoUrl)).status).toBe(404);
  });

  it('is no longer shown to others once the page becomes private', async () => {
    await addPage('img-closes');
    const { logoUrl } = (await upload('img-closes/logo', LOGO)).body;
    expect((await get(logoUrl)).status).toBe(200);
    await setting.tenant.api('PUT', '/status-pages/img-closes', { visibility: 'members' });
    expect((await get(logoUrl)).status).toBe(404);
  });
});

it('a file that is too large is refused before it is read', async () => {
  const { url } = setting.service;
  const response = await new Promise<number | undefined>((resolve, reject) => {
    const sent = request(`${url}/api/status-pages/img-acme/logo`, {
      method: 'PUT',
      headers: {
        Authorization: `Bearer ${setting.tenant.apiKey}`,
        'Content-Length': 1_000_000,
        'Content-Type': 'image/png',
      },
    });
    // Nothing of it is ever sent.
    sent.on('response', ({ statusCode }) => {
      resolve(statusCode);
      sent.destroy();
    });
    sent.on('error', reject);
    sent.flushHeaders();
  });
  expect(response).toBe(413);
});
