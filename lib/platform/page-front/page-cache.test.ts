import { describe, expect, it } from 'vitest';
import { bodyOf, changed, gone, page, refusal, request, setUp, textOf } from './testing/cache-story';

describe('the cache', () => {
  it('serves a fresh response immediately, without a request', async () => {
    const { cache, clock, sent, get, respondWith } = setUp();
    respondWith(page('one'));
    expect(cache.hit(request())).toBeUndefined();
    expect(textOf(await get())).toBe('one');
    clock.advance(9_000);
    expect(bodyOf(cache.hit(request()))).toBe('one');
    expect(cache.hit(request('other'))).toBeUndefined();
    expect(sent).toHaveLength(1);
  });

  it('serves a stale response while one request refreshes it, then the new one', async () => {
    const { cache, clock, sent, get, respondWith } = setUp();
    respondWith(page('one'));
    await get();
    respondWith(undefined);
    clock.advance(10_001);
    expect(cache.hit(request())).toBeUndefined();
    const served = await Promise.all([get(), get(), get()]);
    expect(served.map(textOf)).toEqual(['one', 'one', 'one']);
    expect(sent).toHaveLength(2);
    sent.at(-1)?.respond(page('two'));
    await expect.poll(async () => textOf(await get())).toBe('two');
    expect(sent).toHaveLength(2);
  });

  it('counts who was served without waiting', async () => {
    const { cache, clock, sent, get, respondWith } = setUp();
    respondWith(page('one'));
    await get();
    cache.hit(request());
    clock.advance(10_001);
    respondWith(undefined);
    await get();
    expect(cache.usage()).toMatchObject({ requests: { hit: 2, miss: 1 }, entries: 1 });
    expect(cache.usage().bytes).toBeGreaterThan(0);
    sent.at(-1)?.respond(page('two'));
  });

  it('makes visitors wait for a new response after stale-while-revalidate', async () => {
    const { clock, sent, get, respondWith } = setUp();
    respondWith(page('one'));
    await get();
    clock.advance(70_001);
    respondWith(page('two'));
    expect(textOf(await get())).toBe('two');
    expect(sent).toHaveLength(2);
  });

  it('has nobody wait for a request that is in the queue of another visitor', async () => {
    const { cache } = setUp();
    let respond = (_: ReturnType<typeof page>): void => undefined;
    const first = cache.serve(request(), {
      name: 'busy',
      send: (_, setQueued) => {
        setQueued?.(true);
        return new Promise((resolve) => {
          respond = resolve;
        });
      },
    });
    const other = await cache.serve(request(), {
      name: 'other',
      send: async () => page('read by the other'),
    });
    expect(textOf(other)).toBe('read by the other');
    respond(page('late'));
    expect(textOf(await first)).toBe('late');
  });

  it('sends one request for concurrent visitors if nothing is stored', async () => {
    const { sent, get } = setUp();
    const crowd = Array.from({ length: 1000 }, () => get());
    expect(sent).toHaveLength(1);
    sent[0]?.respond(page('one'));
    expect(new Set((await Promise.all(crowd)).map(textOf))).toEqual(new Set(['one']));
    expect(sent).toHaveLength(1);
  });

  it('returns an error only to its requester, and does not store it', async () => {
    const { sent, get } = setUp();
    const [first, second] = [get(), get()];
    sent[0]?.respond(refusal(403));
    expect(textOf(await first)).toBe('own 403');
    await expect.poll(() => sent.length).toBe(2);
    sent[1]?.respond(refusal(404));
    expect(textOf(await second)).toBe('own 404');
    const third = get();
    expect(sent).toHaveLength(3);
    sent[2]?.respond(page('one'));
    expect(textOf(await third)).toBe('one');
  });

  it('stores no more than its maximum size', async () => {
    const { sent, get, respondWith } = setUp({ maxBytes: 20_000 });
    for (const key of ['a', 'b', 'c', 'a']) {
      respondWith(page('x'.repeat(5_000), key, { 'content-type': 'image/png' }));
      await get(key, key);
    }
    expect(sent.map(({ key }) => key)).toEqual(['a', 'b', 'c', 'a']);
    await get('c', 'c');
    expect(sent).toHaveLength(4);
  });

  it.each([
    ['of one page', (key: string) => ({ tag: 'sp_1', by: key })],
    ['for one visitor', (key: string) => ({ tag: key, by: 'greedy' })],
  ])('stores at most a quarter of it %s, and drops nothing else for that', async (_, of) => {
    const maxBytes = 100_000;
    const { cache, get, respondWith } = setUp({ maxBytes });
    const image = { 'content-type': 'image/png' };
    respondWith(page('x'.repeat(5_000), 'sp_other', image));
    await get('other', 'other');
    const { bytes: ofOther } = cache.usage();
    for (let number = 0; number < 50; number += 1) {
      const { tag, by } = of(`sp-${number}`);
      respondWith(page('x'.repeat(5_000), tag, image));
      await get(`key-${number}`, by);
    }
    expect(cache.usage().bytes - ofOther).toBeLessThanOrEqual(maxBytes / 4);
    expect(cache.hit(request('other'))).toBeDefined();
    expect(cache.hit(request('key-49')), 'the newest is kept').toBeDefined();
  });

  it('reads a response on behalf of another visitor if the first is beyond their limit', async () => {
    const { sent, get } = setUp();
    const first = get('acme', 'greedy');
    const crowd = Array.from({ length: 100 }, (_, number) => get('acme', `visitor ${number}`));
    sent[0]?.respond(refusal(429));
    expect(textOf(await first)).toBe('own 429');
    await expect.poll(() => sent.length).toBe(2);
    sent[1]?.respond(page('one'));
    expect(new Set((await Promise.all(crowd)).map(textOf))).toEqual(new Set(['one']));
    expect(sent.map(({ by }) => by)).toEqual(['greedy', 'visitor 0']);
  });

  it('counts a stale response that is verified for a visitor, and shows others nothing of their limit', async () => {
    const { cache, sent, get, respondWith } = setUp();
    respondWith(page('one'));
    await get();
    cache.apply(changed('sp_1'));
    respondWith(refusal(429));
    expect(textOf(await get('acme', 'greedy'))).toBe('own 429');
    respondWith(page('two'));
    expect(await get('acme', 'other')).toMatchObject({ kind: 'stored', isStale: false });
    expect(sent.map(({ by }) => by)).toEqual(['visitor', 'greedy', 'other']);
  });

  it('passes on a response that is too large, and does not read it again for a minute', async () => {
    const { clock, sent, get, respondWith } = setUp();
    respondWith(null);
    expect([textOf(await get()), textOf(await get())]).toEqual(['tooLarge', 'tooLarge']);
    expect(sent).toHaveLength(1);
    clock.advance(60_001);
    await get();
    expect(sent).toHaveLength(2);
  });
});

describe('a purge', () => {
  it('makes visitors of its page wait for the new response', async () => {
    const { cache, sent, get, respondWith } = setUp();
    respondWith(page('one'));
    await get();
    respondWith(page('other', 'sp_2'));
    await get('other');
    respondWith(page('two'));
    cache.apply(changed('sp_1', 'sp_3'));
    expect(cache.hit(request())).toBeUndefined();
    expect(cache.hit(request('other'))).toBeDefined();
    expect(textOf(await get())).toBe('two');
    expect(sent).toHaveLength(3);
  });

  it('causes one request for all visitors of its page', async () => {
    const { cache, sent, get, respondWith } = setUp();
    respondWith(page('one'));
    await get();
    respondWith(undefined);
    cache.apply(changed('sp_1'));
    const crowd = Array.from({ length: 100 }, () => get());
    expect(sent).toHaveLength(2);
    sent[1]?.respond(page('two'));
    expect(new Set((await Promise.all(crowd)).map(textOf))).toEqual(new Set(['two']));
    expect(sent).toHaveLength(2);
  });

  it('of everything leaves nothing that is served without a request', async () => {
    const { cache, get, respondWith } = setUp();
    respondWith(page('one'));
    await get();
    cache.apply({ kind: 'all' });
    expect(cache.hit(request())).toBeUndefined();
  });

  it.each([
    ['nothing is stored', false],
    ['an old response is stored', true],
  ])('is not undone by a read that started before it, if %s', async (_, isStored) => {
    const { cache, clock, sent, get, respondWith } = setUp();
    if (isStored) {
      respondWith(page('zero'));
      await get();
      respondWith(undefined);
      clock.advance(100_000);
    }
    const before = get();
    cache.apply(changed('sp_1'));
    const after = get();
    expect(sent.slice(isStored ? 1 : 0), 'a later request does not wait for an earlier read').toHaveLength(2);
    sent.at(-1)?.respond(page('new'));
    expect(textOf(await after)).toBe('new');
    sent.at(-2)?.respond(page('old'));
    expect(textOf(await before)).toBe('old');
    expect(bodyOf(cache.hit(request()))).toBe('new');
  });

  it('of a gone page removes its responses, even if the next request fails', async () => {
    const { cache, get, respondWith } = setUp();
    respondWith(page('one'));
    await get();
    cache.apply(gone('sp_1'));
    respondWith(refusal(500));
    expect(textOf(await get())).toBe('own 500');
  });

  it('that was missed is detected: a page that no longer exists is no longer stored', async () => {
    const { cache, clock, get, respondWith } = setUp();
    respondWith(page('one'));
    await get();
    clock.advance(100_000);
    respondWith(refusal(404));
    expect(textOf(await get())).toBe('own 404');
    cache.suspend();
    respondWith(refusal(500));
    expect(textOf(await get())).toBe('own 500');
  });
});
