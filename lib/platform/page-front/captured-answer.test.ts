import { describe, expect, it } from 'vitest';
import { type CapturedAnswer, decideKeeping } from './captured-answer';

const CACHE_CONTROL = 'public, s-maxage=10, stale-while-revalidate=60';

function answer(headers: Record<string, string | string[] | undefined> = {}, status = 200): CapturedAnswer {
  const all = { 'x-pharos-cache-tag': 'sp_1', 'cache-control': CACHE_CONTROL, ...headers };
  return { status, headers: all, body: Buffer.from('{}') };
}

describe('an answer', () => {
  it('is kept for as long as it says, by its tag', () => {
    const kept = { tag: 'sp_1', freshMs: 10_000, whileRevalidateMs: 60_000, ageMs: 0 };
    expect(decideKeeping(answer())).toMatchObject(kept);
  });

  it('is fresh for less when it is old already', () => {
    expect(decideKeeping(answer({ age: '4' }))).toMatchObject({ freshMs: 6_000, ageMs: 4_000 });
    expect(decideKeeping(answer({ age: '10' }))).toBeNull();
  });

  it('loses the headers of its connection', () => {
    const kept = decideKeeping(
      answer({ connection: 'close, x-hop', 'x-hop': '1', 'keep-alive': 'timeout=5' }),
    );
    expect(Object.keys(kept?.headers ?? {})).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(connection|keep-alive|x-hop)$/)]),
    );
  });

  it.each([
    ['without a tag', answer({ 'x-pharos-cache-tag': undefined })],
    ['with another status', answer({}, 404)],
    ['with a redirect', answer({}, 308)],
    ['with an error', answer({}, 500)],
    ['without s-maxage', answer({ 'cache-control': 'public, max-age=10' })],
    ['without Cache-Control', answer({ 'cache-control': undefined })],
    ['that is private', answer({ 'cache-control': 'private, s-maxage=10' })],
    ['not to be stored', answer({ 'cache-control': 's-maxage=10, no-store' })],
    ['to be asked for each time', answer({ 'cache-control': 's-maxage=10, no-cache' })],
    ['never to be stale', answer({ 'cache-control': 's-maxage=10, must-revalidate' })],
    ['that is over at once', answer({ 'cache-control': 's-maxage=0' })],
    ['with a cookie', answer({ 'set-cookie': ['a=1'] })],
    ['in an encoding', answer({ 'content-encoding': 'gzip' })],
    ['that varies by everything', answer({ vary: '*' })],
    ['that varies by a cookie', answer({ vary: 'Accept-Encoding, Cookie' })],
  ])('%s is not kept', (_, one) => {
    expect(decideKeeping(one)).toBeNull();
  });

  it('may vary by what is part of the key', () => {
    const vary = 'rsc, next-router-state-tree, Accept-Encoding, Accept-Language';
    expect(decideKeeping(answer({ vary }))).not.toBeNull();
  });
});
