import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { renderView } from '@/components/status-page/testing/render-view';
import { busyView } from '@/components/status-page/testing/sample-view';
import { STALE_MARK } from './application';
import { type CachedResponse, createStored, type Reader, toWire } from './stored-response';
import { acceptedEncodings, createVariants, type Encoding } from './variants';

const BEGUN = Date.parse('2026-03-10T12:00:00.000Z');
const TEXT = JSON.stringify({ text: 'operational '.repeat(500) });

function store(body: string, headers: Record<string, string> = {}): CachedResponse {
  const all = {
    'content-type': 'application/json',
    'cache-control': 'public, s-maxage=10',
    'x-pharos-cache-tag': 'sp_1',
    'x-request-id': 'of the first visitor',
    'access-control-allow-origin': '*',
    etag: 'W/"tag"',
    vary: 'rsc, Accept-Language',
    date: 'Tue, 10 Mar 2026 12:00:00 GMT',
    connection: 'close',
    ...headers,
  };
  const times = { begunAt: BEGUN, receivedAt: BEGUN + 50, language: null };
  const created = createStored({ status: 200, headers: all, body: Buffer.from(body) }, times);
  if (created === null) throw new Error('not stored');
  return created;
}

const OPEN: Record<string, (body: Buffer) => Buffer> = {
  br: (body) => brotliDecompressSync(body),
  gzip: (body) => gunzipSync(body),
  identity: (body) => body,
};

const stored = store(TEXT);

/** Days of 40 monitors, like those of the API: long, and almost always the same. */
function longHistory() {
  const day = (place: number) => {
    const date = new Date(BEGUN - place * 86_400_000).toISOString().slice(0, 10);
    return { date, status: 'operational', uptimePercentage: 100, downtime: 0 };
  };
  return Array.from({ length: 40 }, (_, monitor) => {
    return {
      id: `mon_${monitor * 7919}`,
      name: `Service ${monitor}`,
      days: Array.from({ length: 90 }, (_, n) => day(n)),
    };
  });
}

async function send(
  reader: Partial<Reader> = {},
  { response = stored, isStale = false, after = 3_999 } = {},
) {
  const all = { method: 'GET', acceptEncoding: undefined, ifNoneMatch: undefined, ...reader };
  const { status, head, body } = await toWire(response, all, BEGUN + after, isStale);
  const headers: Record<string, string> = {};
  for (let index = 0; index < head.length; index += 2) headers[head[index] ?? ''] = head[index + 1] ?? '';
  expect(Object.keys(headers), 'each header once').toHaveLength(head.length / 2);
  return { status, headers, body };
}

describe('a sent response', () => {
  it('is the stored one with its age, and nothing of its first requester', async () => {
    const { status, headers, body } = await send();
    expect([status, body?.toString()]).toEqual([200, TEXT]);
    expect(headers).toEqual({
      'content-type': 'application/json',
      'cache-control': 'public, s-maxage=10',
      'access-control-allow-origin': '*',
      vary: 'Accept-Encoding, Accept-Language',
      etag: 'W/"tag"',
      'content-length': String(Buffer.byteLength(TEXT)),
      age: '3',
    });
  });

  it('has its policy where nothing changed, and where it could not be verified: it may be another one than that of a copy', async () => {
    const policy = "default-src 'none'; frame-ancestors https://www.example.com";
    const html = `<main>${STALE_MARK}</main>`;
    const response = store(html, { 'content-type': 'text/html', 'content-security-policy': policy });
    for (const each of [response, response.marked(BEGUN)]) {
      const unchanged = await send({ ifNoneMatch: each.etag }, { response: each });
      expect([unchanged.status, unchanged.headers['content-security-policy']]).toEqual([304, policy]);
      expect(unchanged.headers).not.toHaveProperty('content-type');
      expect((await send({}, { response: each })).headers['content-security-policy']).toBe(policy);
    }
  });

  it.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ] as const)('is compressed with %s on request', async (encoding, open) => {
    const { headers, body } = await send({ acceptEncoding: encoding });
    expect(headers).toMatchObject({
      'content-encoding': encoding,
      'content-length': String(body?.length),
    });
    expect(body?.length).toBeLessThan(TEXT.length / 10);
    expect(open(body ?? Buffer.of()).toString()).toBe(TEXT);
  });

  it('has the same bytes in every encoding, in whatever order they are requested', async () => {
    const orders = [
      ['gzip', undefined, 'br'],
      ['br', 'gzip', undefined],
      [undefined, 'gzip', 'br'],
    ];
    for (const order of orders) {
      const response = store(TEXT);
      for (const acceptEncoding of [...order, ...order]) {
        const { headers, body } = await send({ acceptEncoding }, { response });
        const open = OPEN[headers['content-encoding'] ?? 'identity'];
        expect(open?.(body ?? Buffer.of()).toString(), order.join()).toBe(TEXT);
        expect(headers['content-length']).toBe(String(body?.length));
      }
    }
  });

  it.each([
    ['text/html', renderView(busyView())],
    ['application/json', JSON.stringify(longHistory())],
  ])('of type %s is compressed better once it is sent again, and the same otherwise', async (type, text) => {
    for (const encoding of ['br', 'gzip'] as const) {
      const variants = createVariants(Buffer.from(text), type, []);
      const first = await variants.in(encoding);
      expect(await variants.in(encoding)).toBe(first);
      await expect.poll(() => variants.in(encoding)).not.toBe(first);
      const second = await variants.in(encoding);
      expect(second.body.length, encoding).toBeLessThan(first.body.length);
      expect(OPEN[encoding]?.(second.body).toString()).toBe(text);
      expect(variants.in(encoding)).toBe(second);
    }
  });

  it('is kept compressed unless someone reads it as it is', async () => {
    const encodings = createVariants(Buffer.from(TEXT), 'application/json', []);
    await encodings.in('gzip');
    const body = encodings.readBody();
    expect(body.toString()).toBe(TEXT);
    expect(encodings.readBody()).not.toBe(body);
    const identity = encodings.in('identity');
    expect(identity).toMatchObject({ body });
    expect(encodings.in('identity')).toBe(identity);
  });

  it('is not compressed if that saves nothing', async () => {
    const small = store('{}');
    expect((await send({ acceptEncoding: 'br, gzip' }, { response: small })).headers).not.toHaveProperty(
      'content-encoding',
    );
    const picture = store('x'.repeat(5000), { 'content-type': 'image/png' });
    expect((await send({ acceptEncoding: 'br' }, { response: picture })).headers).not.toHaveProperty(
      'content-encoding',
    );
  });

  it('has no body for HEAD, but its length', async () => {
    const { status, headers, body } = await send({ method: 'HEAD' });
    expect([status, headers['content-length'], body]).toEqual([200, String(Buffer.byteLength(TEXT)), null]);
  });

  it.each(['W/"tag"', '"tag"', '"other", W/"tag"', '*'])(
    'is 304 for a matching ETag: %s',
    async (ifNoneMatch) => {
      const { status, headers, body } = await send({ ifNoneMatch, acceptEncoding: 'br' });
      expect([status, body]).toEqual([304, null]);
      expect(headers).toEqual({
        'cache-control': 'public, s-maxage=10',
        'access-control-allow-origin': '*',
        vary: 'Accept-Encoding, Accept-Language',
        etag: 'W/"tag"',
        age: '3',
      });
    },
  );

  it('is complete for another ETag', async () => {
    expect((await send({ ifNoneMatch: 'W/"other"' })).status).toBe(200);
  });

  it('contains when it was last verified if it is stale', async () => {
    expect((await send({}, { isStale: true, after: 3_600_000 })).headers).toMatchObject({
      age: '3600',
      warning: '111 - "Revalidation Failed"',
      'x-pharos-verified-at': '2026-03-10T12:00:00.000Z',
    });
  });

  it('gets a weak ETag: its own, or a hash of its body', async () => {
    expect(store(TEXT, { etag: '"strong"' }).etag).toBe('W/"strong"');
    const [one, other] = [
      createStored(
        {
          status: 200,
          headers: { 'cache-control': 's-maxage=10', 'x-pharos-cache-tag': 'sp_1' },
          body: Buffer.from('1'),
        },
        { begunAt: 0, receivedAt: 0, language: null },
      ),
      store('2', { etag: '' }),
    ];
    expect(one?.etag).toMatch(/^W\/".{27}"$/);
    expect(other.etag).not.toBe(one?.etag);
  });
});

it.each<[string | undefined, Encoding[]]>([
  [undefined, ['identity']],
  ['', ['identity']],
  ['gzip, deflate, br, zstd', ['br', 'gzip', 'identity']],
  ['gzip', ['gzip', 'identity']],
  ['br;q=0, gzip;q=0.5', ['gzip', 'identity']],
  ['*', ['br', 'gzip', 'identity']],
  ['deflate', ['identity']],
  ['identity;q=0', ['identity']],
])('Accept-Encoding %j allows %j', (header, encodings) => {
  expect(acceptedEncodings(header)).toEqual(encodings);
});
