import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { CapturedResponse } from './captured-response';
import { changed, page, refusal, request, setUp, textOf } from './testing/cache-story';

describe('while changes are not received', () => {
  it('every response is requested again, and nothing from before is used afterwards', async () => {
    const { cache, sent, get, respondWith } = setUp();
    respondWith(page('one'));
    await get();
    cache.suspend();
    respondWith(page('two'));
    expect([textOf(await get()), textOf(await get())]).toEqual(['two', 'two']);
    expect(sent).toHaveLength(3);
    cache.resume();
    expect(cache.hit(request())).toBeUndefined();
    respondWith(page('three'));
    expect(textOf(await get())).toBe('three');
    expect(cache.hit(request())).toBeDefined();
  });

  it('concurrent visitors share a read only if it started a moment ago', async () => {
    const { cache, clock, sent, get } = setUp();
    cache.suspend();
    const crowd = [get(), get()];
    expect(sent).toHaveLength(1);
    clock.advance(501);
    crowd.push(get());
    expect(sent).toHaveLength(2);
    for (const { respond } of sent) respond(page('one'));
    await Promise.all(crowd);
  });

  it('nobody waits for a read that started before', async () => {
    const { cache, sent, get } = setUp();
    const before = get();
    cache.suspend();
    const after = get();
    expect(sent).toHaveLength(2);
    for (const { respond } of sent) respond(page('one'));
    await Promise.all([before, after]);
  });
});

describe('when the application fails', () => {
  const failures: [string, CapturedResponse | Error][] = [
    ['with 500', refusal(500)],
    ['with 503', refusal(503)],
    ['without a response', new Error('gone')],
  ];

  it.each(failures)('%s, the stored response is served for a day, marked as stale', async (_, failure) => {
    const { cache, clock, get, respondWith } = setUp();
    respondWith(page('<main><!--pharos:stale-->one</main>'));
    await get();
    cache.suspend();
    respondWith(failure);
    clock.advance(23 * 3_600_000);
    const served = await get();
    expect(served).toMatchObject({ kind: 'stored', isStale: true });
    expect(textOf(served)).toContain('It shows what was known at <time datetime="2026-03-10T12:00:00.000Z">');
    expect(textOf(served)).toMatch(/^<main><div .*<\/div>one<\/main>$/);
    expect(served.kind === 'stored' && served.response.etag).toMatch(/-stale"$/);
    clock.advance(3_600_001);
    const late = get();
    if (failure instanceof Error) await expect(late).rejects.toThrow('gone');
    else expect(textOf(await late)).toBe(`own ${failure.status}`);
  });

  it('nobody waits for it twice within two seconds, and it recovers', async () => {
    const { cache, clock, sent, get, respondWith } = setUp();
    respondWith(page('one'));
    await get();
    cache.apply(changed('sp_1'));
    respondWith(refusal(500));
    expect(await get()).toMatchObject({ isStale: true });
    expect(await get()).toMatchObject({ isStale: true });
    expect(sent).toHaveLength(2);
    clock.advance(2001);
    respondWith(page('two'));
    const served = await get();
    expect([textOf(served), served.kind === 'stored' && served.isStale]).toEqual(['two', false]);
  });

  it('visitors wait only for a limited time if a response is stored', async () => {
    const { cache, sent, get, respondWith } = setUp({ patienceMs: 20 });
    respondWith(page('one'));
    await get();
    cache.apply(changed('sp_1'));
    respondWith(undefined);
    expect(await get()).toMatchObject({ isStale: true });
    expect(await get(), 'nobody waits right after that').toMatchObject({ isStale: true });
    sent.at(-1)?.respond(page('two'));
    await sleep(0);
    await expect.poll(async () => textOf(await get())).toBe('two');
  });

  it('and nothing is stored, the visitor gets the error itself', async () => {
    const { get, respondWith } = setUp();
    respondWith(refusal(500));
    expect(textOf(await get())).toBe('own 500');
    respondWith(new Error('gone'));
    await expect(get()).rejects.toThrow('gone');
  });

  it('a response without a place for the mark is not changed', async () => {
    const { cache, get, respondWith } = setUp();
    respondWith(page('{"a":"<!--pharos:stale-->"}', 'sp_1', { 'content-type': 'application/json' }));
    await get();
    cache.suspend();
    respondWith(refusal(500));
    const served = await get();
    expect(served).toMatchObject({ isStale: true });
    expect(textOf(served)).toBe('{"a":"<!--pharos:stale-->"}');
  });
});
