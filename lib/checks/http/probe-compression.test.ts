import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { serveHttp } from '@/lib/platform/net/testing/servers';
import type { ProbeTarget } from '@/lib/schemas/monitor/fields';
import type { Assertion } from '../assertions/assertion';
import { probe } from '../probe';
import { createTarget, openEnvironment } from '../testing/target';
import { decompress } from './probe-compression';

const JSON_TEXT = '{"status":"naïve"}';
const MIB = 1024 * 1024;
/** A frame with `{"ok":true}`, as `zstd` writes it. */
const ZSTD = Buffer.from('28b52ffd00585900007b226f6b223a747275657d', 'hex');

/** Checks a server that ignores `Accept-Encoding: identity`. */
async function check(encoding: string, bytes: Buffer, changes: Partial<ProbeTarget> = {}) {
  const server = await serveHttp((_request, response) =>
    response
      .writeHead(changes.expectedStatusCode === 204 ? 500 : 200, { 'content-encoding': encoding })
      .end(bytes),
  );
  const target = createTarget('http', server.url, changes);
  return probe(target, { ...openEnvironment, evidenceOf: 'any' });
}

const body = (comparison: Assertion['comparison'], target: string): Assertion => ({
  source: 'body',
  property: null,
  comparison,
  target,
});

describe('the body of a server that compresses without being asked to', () => {
  it.each([
    ['gzip', gzipSync(JSON_TEXT)],
    ['X-GZip', gzipSync(JSON_TEXT)],
    ['deflate', deflateSync(JSON_TEXT)],
    ['deflate', deflateRawSync(JSON_TEXT)],
    ['br', brotliCompressSync(JSON_TEXT)],
    ['gzip, identity, br', brotliCompressSync(gzipSync(JSON_TEXT))],
    ['gzip', Buffer.from(JSON_TEXT)],
    // Compressed less often than it claims, or with what is no compression.
    ['gzip, gzip', gzipSync(JSON_TEXT)],
    ['br, gzip', gzipSync(JSON_TEXT)],
    ['utf-8', Buffer.from(JSON_TEXT)],
    ['gzip, aws-chunked', Buffer.from(JSON_TEXT)],
  ])('is read: %s', async (encoding, bytes) => {
    const assertions: Assertion[] = [
      body('notContains', 'error'),
      { source: 'json', property: '$.status', comparison: 'equals', target: 'naïve' },
    ];
    const result = await check(encoding, bytes, { keyword: 'naïve', assertions });
    expect(result).toMatchObject({ outcome: 'ok', error: null, bodySize: bytes.length });
    expect(result.evidence?.().body).toMatchObject({
      text: JSON_TEXT,
      size: bytes.length,
      truncated: false,
    });
  });

  it('is part of the evidence of a wrong status', async () => {
    const result = await check('gzip', gzipSync('out of memory'), { expectedStatusCode: 204 });
    expect(result.evidence?.().body?.text).toBe('out of memory');
  });

  it('is read to 1 MiB of what it inflates to: a bomb stays small', async () => {
    const bomb = gzipSync(Buffer.alloc(50 * MIB, 'a'));
    const before = process.memoryUsage().arrayBuffers;
    expect(await check('gzip', bomb, { keyword: 'aaaa' })).toMatchObject({ outcome: 'ok' });
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(20 * MIB);
    const { error } = await check('gzip', bomb, { keyword: 'b' });
    expect(error?.message).toBe('the first 1 MiB of the response body does not contain “b”');
  });

  it.each([
    ['zstd', ZSTD, 'the body is compressed with zstd, which cannot be read here'],
    [
      'compress',
      Buffer.from([0x1f, 0x9d, 0x90]),
      'the body is compressed with compress, which cannot be read here',
    ],
    [
      'gzip',
      Buffer.concat([gzipSync('x').subarray(0, 10), Buffer.alloc(20, 0xff)]),
      'the body is not valid gzip',
    ],
    ['br', Buffer.alloc(20, 0xff), 'the body is not valid br'],
  ])('that cannot be read is named: %s', async (encoding, bytes, problem) => {
    const [keyword, contains, notContains, unread] = await Promise.all([
      check(encoding, bytes, { keyword: 'ok' }),
      check(encoding, bytes, { assertions: [body('contains', 'ok')] }),
      check(encoding, bytes, { assertions: [body('notContains', 'error')] }),
      check(encoding, bytes),
    ]);
    expect(keyword.error?.message).toBe(`the response body could not be searched for “ok”: ${problem}`);
    expect(contains.error?.detail).toBe(`body does not contain “ok” (${problem})`);
    expect(notContains).toMatchObject({
      outcome: 'ok',
      error: { message: `assertion 1 is undecided: ${problem}` },
    });
    expect(unread).toMatchObject({ outcome: 'ok', error: null });
  });
});

describe('decompression', () => {
  const response = { body: gzipSync(Buffer.alloc(20 * MIB, 'a')), truncated: false, endless: null };

  it('leaves the event loop to others', async () => {
    let turns = 0;
    const turn = () => {
      turns += 1;
      timer = setImmediate(turn);
    };
    let timer = setImmediate(turn);
    expect(await decompress(response, ['gzip'])).toMatchObject({ end: '1 MiB', unread: null });
    clearImmediate(timer);
    expect(turns).toBeGreaterThan(1);
  });

  it('ends with the signal, and at most five are undone', async () => {
    const stopped = decompress(response, ['gzip'], AbortSignal.abort(new Error('stopped')));
    await expect(stopped).rejects.toThrow('stopped');
    const nested = Array.from({ length: 6 }).reduce<Buffer>((bytes) => gzipSync(bytes), Buffer.from('x'));
    const codings = Array.from({ length: 6 }, () => 'gzip');
    const { unread } = await decompress({ ...response, body: nested }, codings);
    expect(unread).toBe('the body is compressed more than 5 times');
  });
});

describe('text with a byte order mark', () => {
  it('begins after it, for JSON and for patterns', async () => {
    const assertions: Assertion[] = [
      body('matches', '^\\{'),
      { source: 'json', property: '$.status', comparison: 'exists', target: null },
    ];
    expect(await check('identity', Buffer.from(`\ufeff${JSON_TEXT}`), { assertions })).toMatchObject({
      outcome: 'ok',
    });
  });
});
