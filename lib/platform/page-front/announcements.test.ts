import { describe, expect, it } from 'vitest';
import { renderView } from '@/components/status-page/testing/render-view';
import { sampleView } from '@/components/status-page/testing/sample-view';
import { ANNOUNCEMENT_MARKS, STALE_MARK } from './application';
import { page, refusal, request, setUp, textOf } from './testing/cache-story';

/** The clock of the cache starts at 12:00:00. */
const ENDS_AT = '2026-03-10T12:00:05.000Z';
const BAR = `${ANNOUNCEMENT_MARKS.start}${ENDS_AT}">We move.${ANNOUNCEMENT_MARKS.end}`;
const WITH = page(`<main>${STALE_MARK}${BAR}<p>one</p></main>`);
const WITHOUT = page(`<main>${STALE_MARK}<p>one</p></main>`);

describe('a stored page with an announcement', () => {
  it('is served until the announcement ends, and requested again from that moment on', async () => {
    const { cache, clock, sent, get, respondWith } = setUp();
    respondWith(WITH);
    await get();
    respondWith(WITHOUT);
    clock.advance(4_999);
    expect(textOf(await get())).toContain('We move.');
    expect(cache.hit(request())).toBeDefined();
    clock.advance(1);
    expect(cache.hit(request())).toBeUndefined();
    expect(textOf(await get())).not.toContain('We move.');
    expect(sent).toHaveLength(2);
  });

  it('is never served beyond its end while it is revalidated in the background', async () => {
    const { clock, get, respondWith } = setUp();
    const later = '2026-03-10T12:00:30.000Z';
    respondWith(page(WITH.body.toString().replace(ENDS_AT, later)));
    await get();
    respondWith(undefined);
    clock.advance(29_999);
    expect(textOf(await get())).toContain('We move.');
    respondWith(WITHOUT);
    clock.advance(1);
    expect(textOf(await get())).not.toContain('We move.');
  });

  it('loses the announcement, but stays up, when it ends while the application fails', async () => {
    const { cache, clock, get, respondWith } = setUp();
    respondWith(WITH);
    await get();
    cache.suspend();
    respondWith(refusal(503));
    clock.advance(4_000);
    const before = await get();
    expect(textOf(before)).toContain('We move.');
    expect(textOf(before)).toContain('could not be updated');
    clock.advance(3_000);
    const after = await get();
    expect(after).toMatchObject({ kind: 'stored', isStale: true });
    expect(textOf(after)).toContain('<p>one</p></main>');
    expect(textOf(after)).not.toContain('We move.');
    expect(textOf(after)).toContain('could not be updated');
    if (before.kind !== 'stored' || after.kind !== 'stored') throw new Error('not stored');
    expect(after.response.etag).not.toBe(before.response.etag);
  });
});

it('the cache finds the announcement of a rendered page, and nothing else in it', async () => {
  const { clock, cache, get, respondWith } = setUp();
  const view = sampleView(2);
  const announcement = { text: 'We <b> move.</p>', url: 'https://acme.test/?a="', endsAt: ENDS_AT };
  const html = (shown: typeof announcement | null) =>
    renderView({ ...view, page: { ...view.page, announcement: shown } }).replace(
      /<main[^>]*>/,
      `$&${STALE_MARK}`,
    );
  const withOut = html(null);
  respondWith(page(html(announcement)));
  expect(textOf(await get())).toContain('We &lt;b&gt; move.&lt;/p&gt;</a></p>');
  cache.suspend();
  respondWith(refusal(500));
  clock.advance(60_000);
  const rest = textOf(await get()).replace(/<div class="pharos-stale".*?<\/div>/, STALE_MARK);
  expect(rest).toBe(withOut);
});
