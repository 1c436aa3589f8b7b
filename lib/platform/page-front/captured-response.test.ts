import { describe, expect, it } from 'vitest';
import { type CapturedResponse, readStoragePolicy } from './captured-response';

const CACHE_CONTROL = 'public, s-maxage=10, stale-while-revalidate=60';

function response(
  headers: Record<string, string | string[] | undefined> = {},
  status = 200,
): CapturedResponse {
  const all = { 'x-pharos-cache-tag': 'sp_1', 'cache-control': CACHE_CONTROL, ...headers };
  return { status, headers: all, body: Buffer.from('{}') };
}

describe('a response', () => {
  it('is stored by its tag, for as long as its headers allow', () => {
    const policy = { tag: 'sp_1', freshMs: 10_000, whileRevalidateMs: 60_000, ageMs: 0 };
    expect(readStoragePolicy(response())).toMatchObject(policy);
  });

  it('is fresh for less time if it is already old', () => {
    expect(readStoragePolicy(response({ age: '4' }))).toMatchObject({ freshMs: 6_000, ageMs: 4_000 });
    expect(readStoragePolicy(response({ age: '10' }))).toBeNull();
  });

  it('loses its connection headers', () => {
    const policy = readStoragePolicy(
      response({ connection: 'close, x-hop', 'x-hop': '1', 'keep-alive': 'timeout=5' }),
    );
    expect(Object.keys(policy?.headers ?? {})).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(connection|keep-alive|x-hop)$/)]),
    );
  });

  it.each([
    ['without a tag', response({ 'x-pharos-cache-tag': undefined })],
    ['with another status', response({}, 404)],
    ['with a redirect', response({}, 308)],
    ['with an error', response({}, 500)],
    ['without s-maxage', response({ 'cache-control': 'public, max-age=10' })],
    ['without Cache-Control', response({ 'cache-control': undefined })],
    ['that is private', response({ 'cache-control': 'private, s-maxage=10' })],
    ['not to be stored', response({ 'cache-control': 's-maxage=10, no-store' })],
    ['to be revalidated each time', response({ 'cache-control': 's-maxage=10, no-cache' })],
    ['never to be served stale', response({ 'cache-control': 's-maxage=10, must-revalidate' })],
    ['that expires immediately', response({ 'cache-control': 's-maxage=0' })],
    ['with a cookie', response({ 'set-cookie': ['a=1'] })],
    ['in an encoding', response({ 'content-encoding': 'gzip' })],
    ['that varies by everything', response({ vary: '*' })],
    ['that varies by a cookie', response({ vary: 'Accept-Encoding, Cookie' })],
  ])('%s is not stored', (_, one) => {
    expect(readStoragePolicy(one)).toBeNull();
  });

  it('may vary by parts of the key', () => {
    const vary = 'rsc, next-router-state-tree, Accept-Encoding, Accept-Language';
    expect(readStoragePolicy(response({ vary }))).not.toBeNull();
  });
});
