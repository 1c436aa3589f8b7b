import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { parseMarkdown } from '@/lib/core/formats/markdown';
import type { Incident } from '@/lib/schemas/incidents/incident';
import type { IncidentLine } from '@/lib/schemas/incidents/incident-log';
import { groupIncidents } from './incident-list';
import { formatIncidentDuration, formatNames } from './incident-texts';
import { draftPostmortem } from './postmortem-section';
import { audienceOf, ShownOn } from './shown-on';
import { bundleStories } from './stories/story-row';

const OVER = { startedAt: '2026-03-01T00:10:00.000Z', resolvedAt: '2026-03-01T01:15:00.000Z' };

function line(id: string, createdAt: string, resolvedAt: string | null): IncidentLine {
  const moments = { startedAt: createdAt, createdAt, updatedAt: createdAt, resolvedAt };
  const rest = {
    title: id,
    description: '',
    affectedMonitors: [],
    affectedComponents: [],
    impacts: {},
    translations: {},
    resolveAfterMinutes: null,
    automatic: false,
    hasPostmortem: false,
  };
  const nobody = { acknowledgedAt: null, acknowledgedBy: null };
  return { id, version: 1, status: 'resolved', severity: 'minor', ...moments, ...nobody, ...rest };
}

describe('the incident list', () => {
  it('groups incidents under “Open” and the month in which they were opened', () => {
    const groups = groupIncidents([
      line('new', '2026-03-02T00:00:00.000Z', null),
      line('ancient', '2025-01-01T00:00:00.000Z', null),
      line('march', '2026-03-01T00:00:00.000Z', '2026-03-01T01:00:00.000Z'),
      line('february', '2026-02-28T23:59:59.999Z', '2026-03-02T00:00:00.000Z'),
      line('february too', '2026-02-01T00:00:00.000Z', '2026-02-01T00:01:00.000Z'),
    ]);
    expect(groups.map(({ heading, incidents }) => [heading, incidents.map(({ id }) => id)])).toEqual([
      ['Open', ['new', 'ancient']],
      ['March 2026', ['march']],
      ['February 2026', ['february', 'february too']],
    ]);
  });

  it('puts incidents of one story together if there are several, where the newest of them is', () => {
    const story = { id: 'story', cause: 'same host shop.test', incidents: 3 };
    const [blog, shop, api, docs] = ['blog', 'shop', 'api', 'docs'].map((id) =>
      line(id, '2026-03-02T00:00:00.000Z', null),
    );
    if (!blog || !shop || !api || !docs) throw new Error('there are four');
    const stories = new Map([
      ['shop', story],
      ['docs', story],
      ['api', { ...story, id: 'other' }],
    ]);
    const entries = bundleStories([blog, shop, api, docs], stories);
    expect(entries.map(({ story: own, incidents }) => [own?.id, incidents.map(({ id }) => id)])).toEqual([
      [undefined, ['blog']],
      ['story', ['shop', 'docs']],
      [undefined, ['api']],
    ]);
  });

  it('shows how long each took, and at most three monitors', () => {
    const now = new Date('2026-03-01T00:22:00.000Z');
    expect(formatIncidentDuration({ ...OVER, resolvedAt: null }, now)).toBe('open for 12m');
    expect(formatIncidentDuration(OVER, now)).toBe('resolved after 1h 5m');
    expect(formatNames(['a', 'b', 'c'])).toBe('a, b, c');
    expect(formatNames(['a', 'b', 'c', 'd', 'e'])).toBe('a, b, c, and 2 more');
  });
});

it('shows an incident on pages with an affected monitor, and emails only subscribers of published ones', () => {
  const page = (slug: string, monitors: string[], published = true) => {
    return {
      id: `sp_${slug}`,
      slug,
      name: slug,
      published,
      automaticDelay: slug === 'other' ? 10 : 0,
      automaticSince: slug === 'other' ? null : '2026-03-02T00:00:00.000Z',
      address: published ? `/status/${slug}` : null,
      monitors,
      components: [{ id: `cmp_${slug}`, name: 'Phone' }],
      subscribers: 5,
    };
  };
  const all = [page('shop', ['mon_1', 'mon_2']), page('other', ['mon_3']), page('hidden', ['mon_1'], false)];
  const { pages, emails } = audienceOf(all, ['mon_1', 'mon_9']);
  expect([pages.map(({ slug }) => slug), emails]).toEqual([['shop', 'hidden'], 5]);
  expect(audienceOf(all, [])).toEqual({ pages: [], notified: [], emails: 0 });
  expect(audienceOf(all, [`cmp_${all[0]?.slug}`]).pages).toEqual([all[0]]);
  const emailsOf = (automatic: boolean, publishedOn: string[] = []) =>
    audienceOf(all, ['mon_3'], { automatic, publishedOn, resolvedAt: null }).emails;
  expect(emailsOf(false)).toBe(5);
  expect(emailsOf(true)).toBe(0);
  expect(emailsOf(true, ['sp_other'])).toBe(5);
});

/** A published page. */
const SHOP = {
  id: 'sp_shop',
  slug: 'shop',
  name: 'Shop',
  published: true,
  address: '/status/shop',
  monitors: ['mon_1'],
  components: [],
  subscribers: 5,
};

it('links to an incident only on pages that show it', () => {
  const page = { ...SHOP, automaticDelay: 0, automaticSince: '2026-03-02T00:00:00.000Z' };
  const linkOf = (resolvedAt: string | null, publishedOn: string[] = []) => {
    const incident = { id: 'inc_1', automatic: true, publishedOn, resolvedAt, ageMs: 0 };
    const audience = audienceOf([page], ['mon_1'], incident);
    return /href="([^"]*)"/.exec(renderToStaticMarkup(createElement(ShownOn, { audience, incident })))?.[1];
  };
  const link = '/status/shop/incidents/inc_1';
  expect(linkOf(null)).toBe(link);
  expect(linkOf('2026-03-03T00:00:00.000Z')).toBe(link);
  expect(linkOf('2026-03-01T00:00:00.000Z')).toBe('/status/shop');
  expect(linkOf('2026-03-01T00:00:00.000Z', ['sp_shop'])).toBe(link);
});

it('announces that an incident will be shown only until it is due: later, people hid it', () => {
  const page = { ...SHOP, automaticDelay: 10, automaticSince: null };
  const reachOf = (minutes: number, publishedOn: string[] = []) => {
    const incident = {
      id: 'inc_1',
      automatic: true,
      publishedOn,
      resolvedAt: null,
      ageMs: minutes * 60_000,
    };
    const audience = audienceOf([page], ['mon_1'], incident);
    const html = renderToStaticMarkup(createElement(ShownOn, { audience, incident }));
    return /tabular-nums">([^<]*)</.exec(html)?.[1];
  };
  expect(reachOf(10)).toBe('Shown after 10m if still open');
  expect(reachOf(11)).toBe('Not shown');
  expect(reachOf(11, ['sp_shop'])).toBe('5 subscribers');
});

it('drafts a postmortem with the facts, followed by headings to fill in', () => {
  const draft = draftPostmortem(
    { ...OVER, updates: [] } as unknown as Incident,
    ['Shop'],
    [{ id: 'aud_1', kind: 'acknowledgement', at: new Date(OVER.startedAt), by: 'Ada', isWithdrawn: false }],
  );
  expect(draft).toContain('**Started:** 2026-03-01 00:10:00 UTC\n**Duration:** 1h 5m\n**Affected:** Shop\n');
  expect(draft).toContain('## Timeline\n\n- **2026-03-01 00:10:00 UTC** Acknowledged\n');
  expect(parseMarkdown(draft).map(({ kind }) => kind)).toEqual([
    'paragraph',
    'heading',
    'heading',
    'heading',
    'list',
    'heading',
    'heading',
  ]);
});
