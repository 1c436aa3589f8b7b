import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createManualClock } from '@/lib/core/time/clock';
import type { CapturedAnswer } from './captured-answer';
import { createPageCache, type PageCacheOptions, type Served } from './page-cache';
import type { PageRequest } from './page-request';
import type { StoredAnswer } from './stored-answer';

const START = new Date('2026-03-10T12:00:00.000Z');
const CACHE_CONTROL = 'public, s-maxage=10, stale-while-revalidate=60';

function request(key = 'acme'): PageRequest {
  return { key, path: `/status/${key}`, origin: 'http://pharos.test', language: 'en', isPageHost: false };
}

function page(body: string, tag = 'sp_1', headers: Record<string, string> = {}): CapturedAnswer {
  return {
    status: 200,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': CACHE_CONTROL,
      'x-pharos-cache-tag': tag,
      ...headers,
    },
    body: Buffer.from(body),
  };
}

const refusal = (status: number): CapturedAnswer => ({ status, headers: {}, body: Buffer.from(`${status}`) });

/** A cache that hears of changes, before an application whose answers the test decides. */
function setUp(options: Partial<PageCacheOptions> = {}) {
  const clock = createManualClock(START);
  const cache = createPageCache({ clock, maxBytes: 1_000_000, ...options });
  cache.resume();
  const asked: { key: string; isRefresh: boolean; answer(with_: CapturedAnswer | null | Error): void }[] = [];
  let standing: CapturedAnswer | null | Error | undefined;
  const ask = ({ key }: PageRequest, isRefresh: boolean) =>
    new Promise<CapturedAnswer | null>((resolve, reject) => {
      const answer = (one: CapturedAnswer | null | Error) =>
        one instanceof Error ? reject(one) : resolve(one);
      asked.push({ key, isRefresh, answer });
      if (standing !== undefined) answer(standing);
    });
  return {
    clock,
    cache,
    asked,
    ask,
    get: (key?: string) => cache.serve(request(key), ask),
    /** What every question is answered with from now on; undefined: the test answers itself. */
    answerWith: (one: CapturedAnswer | null | Error | undefined) => {
      standing = one;
    },
  };
}

function bodyOf(answer: StoredAnswer | undefined): string | undefined {
  const variant = answer?.variants.in('identity');
  return variant instanceof Promise ? undefined : variant?.body.toString();
}

function textOf(served: Served): string {
  if (served.kind === 'stored') return bodyOf(served.answer) ?? '';
  return served.kind === 'own' ? `own ${served.answer.body}` : served.kind;
}

const changed = (...ids: string[]) => ({ kind: 'pages' as const, changed: ids, gone: [] });
const gone = (...ids: string[]) => ({ kind: 'pages' as const, changed: [], gone: ids });

describe('the cache', () => {
  it('serves what is fresh without asking, at once', async () => {
    const { cache, clock, asked, get, answerWith } = setUp();
    answerWith(page('one'));
    expect(cache.hit(request())).toBeUndefined();
    expect(textOf(await get())).toBe('one');
    clock.advance(9_000);
    expect(bodyOf(cache.hit(request()))).toBe('one');
    expect(cache.hit(request('other'))).toBeUndefined();
    expect(asked).toMatchObject([{ isRefresh: false }]);
  });

  it('then serves it while one asks again, and then what came', async () => {
    const { cache, clock, asked, get, answerWith } = setUp();
    answerWith(page('one'));
    await get();
    answerWith(undefined);
    clock.advance(10_001);
    expect(cache.hit(request())).toBeUndefined();
    const served = await Promise.all([get(), get(), get()]);
    expect(served.map(textOf)).toEqual(['one', 'one', 'one']);
    expect(asked.slice(1)).toMatchObject([{ isRefresh: true }]);
    asked.at(-1)?.answer(page('two'));
    await expect.poll(async () => textOf(await get())).toBe('two');
    expect(asked).toHaveLength(2);
  });

  it('and lets visitors wait for a new answer after stale-while-revalidate', async () => {
    const { clock, asked, get, answerWith } = setUp();
    answerWith(page('one'));
    await get();
    clock.advance(70_001);
    answerWith(page('two'));
    expect(textOf(await get())).toBe('two');
    expect(asked).toHaveLength(2);
  });

  it('asks once for a crowd that finds nothing', async () => {
    const { asked, get } = setUp();
    const crowd = Array.from({ length: 1000 }, () => get());
    expect(asked).toHaveLength(1);
    asked[0]?.answer(page('one'));
    expect(new Set((await Promise.all(crowd)).map(textOf))).toEqual(new Set(['one']));
    expect(asked).toHaveLength(1);
  });

  it('gives a refusal to who asked only, and keeps none', async () => {
    const { asked, get } = setUp();
    const [first, second] = [get(), get()];
    asked[0]?.answer(refusal(429));
    expect(textOf(await first)).toBe('own 429');
    await expect.poll(() => asked.length).toBe(2);
    asked[1]?.answer(refusal(404));
    expect(textOf(await second)).toBe('own 404');
    const third = get();
    expect(asked).toHaveLength(3);
    asked[2]?.answer(page('one'));
    expect(textOf(await third)).toBe('one');
  });

  it('holds no more than its bytes', async () => {
    const { asked, get, answerWith } = setUp({ maxBytes: 20_000 });
    answerWith(page('x'.repeat(5_000), 'sp_1', { 'content-type': 'image/png' }));
    for (const key of ['a', 'b', 'c', 'a']) await get(key);
    expect(asked.map(({ key }) => key)).toEqual(['a', 'b', 'c', 'a']);
    await get('c');
    expect(asked).toHaveLength(4);
  });

  it('lets what is too large pass, and does not read it in vain for a minute', async () => {
    const { clock, asked, get, answerWith } = setUp();
    answerWith(null);
    expect([textOf(await get()), textOf(await get())]).toEqual(['tooLarge', 'tooLarge']);
    expect(asked).toHaveLength(1);
    clock.advance(60_001);
    await get();
    expect(asked).toHaveLength(2);
  });
});

describe('a purge', () => {
  it('makes everybody wait for the new answer, of its page only', async () => {
    const { cache, asked, get, answerWith } = setUp();
    answerWith(page('one'));
    await get();
    answerWith(page('other', 'sp_2'));
    await get('other');
    answerWith(page('two'));
    cache.apply(changed('sp_1', 'sp_3'));
    expect(cache.hit(request())).toBeUndefined();
    expect(cache.hit(request('other'))).toBeDefined();
    expect(textOf(await get())).toBe('two');
    expect(asked).toHaveLength(3);
  });

  it('of all leaves nothing that is served without asking', async () => {
    const { cache, get, answerWith } = setUp();
    answerWith(page('one'));
    await get();
    cache.apply({ kind: 'all' });
    expect(cache.hit(request())).toBeUndefined();
  });

  it.each([
    ['nothing was kept', false],
    ['it was kept', true],
  ])('is not undone by what began to be read before it, where %s', async (_, isKept) => {
    const { cache, clock, asked, get, answerWith } = setUp();
    if (isKept) {
      answerWith(page('zero'));
      await get();
      answerWith(undefined);
      clock.advance(100_000);
    }
    const before = get();
    cache.apply(changed('sp_1'));
    const after = get();
    expect(asked.slice(isKept ? 1 : 0), 'who comes after does not wait for what began before').toHaveLength(
      2,
    );
    asked.at(-1)?.answer(page('new'));
    expect(textOf(await after)).toBe('new');
    asked.at(-2)?.answer(page('old'));
    expect(textOf(await before)).toBe('old');
    expect(bodyOf(cache.hit(request()))).toBe('new');
  });

  it('of a page that is gone leaves nothing of it, whatever fails then', async () => {
    const { cache, get, answerWith } = setUp();
    answerWith(page('one'));
    await get();
    cache.apply(gone('sp_1'));
    answerWith(refusal(500));
    expect(textOf(await get())).toBe('own 500');
  });

  it('that was not heard is found out: what is no longer there is no longer kept', async () => {
    const { cache, clock, get, answerWith } = setUp();
    answerWith(page('one'));
    await get();
    clock.advance(100_000);
    answerWith(refusal(404));
    expect(textOf(await get())).toBe('own 404');
    cache.suspend();
    answerWith(refusal(500));
    expect(textOf(await get())).toBe('own 500');
  });
});

describe('while changes are not heard', () => {
  it('every response is requested again, and nothing from before is used afterwards', async () => {
    const { cache, asked, get, answerWith } = setUp();
    answerWith(page('one'));
    await get();
    cache.suspend();
    answerWith(page('two'));
    expect([textOf(await get()), textOf(await get())]).toEqual(['two', 'two']);
    expect(asked).toHaveLength(3);
    cache.resume();
    expect(cache.hit(request())).toBeUndefined();
    answerWith(page('three'));
    expect(textOf(await get())).toBe('three');
    expect(cache.hit(request())).toBeDefined();
  });

  it('a crowd shares what began a moment ago, and no more', async () => {
    const { cache, clock, asked, get } = setUp();
    cache.suspend();
    const crowd = [get(), get()];
    expect(asked).toHaveLength(1);
    clock.advance(501);
    crowd.push(get());
    expect(asked).toHaveLength(2);
    for (const { answer } of asked) answer(page('one'));
    await Promise.all(crowd);
  });

  it('what began before is joined by nobody', async () => {
    const { cache, asked, get } = setUp();
    const before = get();
    cache.suspend();
    const after = get();
    expect(asked).toHaveLength(2);
    for (const { answer } of asked) answer(page('one'));
    await Promise.all([before, after]);
  });
});

describe('when the application fails', () => {
  const failures: [string, CapturedAnswer | Error][] = [
    ['with 500', refusal(500)],
    ['with 503', refusal(503)],
    ['by a limit', refusal(429)],
    ['without an answer', new Error('gone')],
  ];

  it.each(failures)('%s, what was kept is served for a day, marked; then no more', async (_, failure) => {
    const { cache, clock, get, answerWith } = setUp();
    answerWith(page('<main><!--pharos:stale-->one</main>'));
    await get();
    cache.suspend();
    answerWith(failure);
    clock.advance(23 * 3_600_000);
    const served = await get();
    expect(served).toMatchObject({ kind: 'stored', isStale: true });
    expect(textOf(served)).toContain('It shows what was known at <time datetime="2026-03-10T12:00:00.000Z">');
    expect(textOf(served)).toMatch(/^<main><div .*<\/div>one<\/main>$/);
    expect(served.kind === 'stored' && served.answer.etag).toMatch(/-stale"$/);
    clock.advance(3_600_001);
    const late = get();
    if (failure instanceof Error) await expect(late).rejects.toThrow('gone');
    else expect(textOf(await late)).toBe(`own ${failure.status}`);
  });

  it('nobody waits for it twice within two seconds; and it recovers', async () => {
    const { cache, clock, asked, get, answerWith } = setUp();
    answerWith(page('one'));
    await get();
    cache.apply(changed('sp_1'));
    answerWith(refusal(500));
    expect(await get()).toMatchObject({ isStale: true });
    expect(await get()).toMatchObject({ isStale: true });
    expect(asked).toHaveLength(2);
    clock.advance(2001);
    answerWith(page('two'));
    const served = await get();
    expect([textOf(served), served.kind === 'stored' && served.isStale]).toEqual(['two', false]);
  });

  it('does not let visitors wait longer than their patience where something is kept', async () => {
    const { cache, asked, get, answerWith } = setUp({ patienceMs: 20 });
    answerWith(page('one'));
    await get();
    cache.apply(changed('sp_1'));
    answerWith(undefined);
    expect(await get()).toMatchObject({ isStale: true });
    expect(await get(), 'nobody waits right after that').toMatchObject({ isStale: true });
    asked.at(-1)?.answer(page('two'));
    await sleep(0);
    await expect.poll(async () => textOf(await get())).toBe('two');
  });

  it('and nothing is kept, the visitor gets its own words', async () => {
    const { get, answerWith } = setUp();
    answerWith(refusal(500));
    expect(textOf(await get())).toBe('own 500');
    answerWith(new Error('gone'));
    await expect(get()).rejects.toThrow('gone');
  });

  it('an answer without a place for the mark stays as it is', async () => {
    const { cache, get, answerWith } = setUp();
    answerWith(page('{"a":"<!--pharos:stale-->"}', 'sp_1', { 'content-type': 'application/json' }));
    await get();
    cache.suspend();
    answerWith(refusal(500));
    const served = await get();
    expect(served).toMatchObject({ isStale: true });
    expect(textOf(served)).toBe('{"a":"<!--pharos:stale-->"}');
  });
});
