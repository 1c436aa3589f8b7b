import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { FRESHNESS_MARKS, Freshness } from '@/components/status-page/freshness';
import { translatorOf } from '@/components/status-page/translator';
import { respondConditionally } from '@/lib/web/http/conditional';

it('the tag of a page changes with what it shows, but not with the time at which that was read', () => {
  const tagOf = (asOf: string, headline: string) => {
    const note = renderToStaticMarkup(<Freshness asOf={asOf} t={translatorOf('en')} />);
    const request = new Request('https://status.example.com/');
    const response = respondConditionally(
      request,
      `<h2>${headline}</h2>${note}<p>Café</p>`,
      {},
      { changing: FRESHNESS_MARKS },
    );
    return response.headers.get('etag');
  };
  const tag = tagOf('2026-03-10T18:00:00.000Z', 'Operational');
  expect(tagOf('2026-03-10T18:59:00.000Z', 'Operational')).toBe(tag);
  expect(tagOf('2026-03-10T18:00:00.000Z', 'Down')).not.toBe(tag);
});
