import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import type { SearchView } from '@/lib/domain/status-pages/public/history/search-incidents';
import type { HistoryView } from '@/lib/domain/status-pages/public/read-history-view';
import { sampleIncident, sampleMonitor, sampleView } from '../testing/sample-view';
import { translatorOf } from '../translator';
import { FoundIncidents, SearchForm } from './incident-search';
import { MonthHistory } from './month-history';

const PLACE = { base: '/status/acme', lang: 'en' };
const T = translatorOf('en');

const NAMED = { id: sampleMonitor(0).id, name: 'Website <1>' };
const WEBSITE = {
  ...NAMED,
  uptimePercentage: 99.5,
  monthlyUptimes: [99.5, null],
  quarterlyUptimes: [99.7, 98],
  measuredUptimePercentage: null,
  measured: null,
  days: sampleMonitor(0).days.slice(-10),
};
const HOTLINE = {
  id: 'cmp_1',
  name: 'Hotline',
  uptimePercentage: null,
  monthlyUptimes: [97.25, 100],
  quarterlyUptimes: [97.5, null],
  measuredUptimePercentage: null,
  measured: null,
};
const LISTED = { ...sampleIncident({ affectedMonitors: [WEBSITE.id] }), hasPostmortem: false };

function monthOf(fields: Partial<HistoryView> = {}): HistoryView {
  const { page, asOf } = sampleView(1);
  return {
    page,
    asOf,
    month: '2026-03',
    previous: '2026-02',
    next: null,
    year: [],
    quarters: [],
    sections: [],
    monitors: [WEBSITE],
    components: [],
    incidents: [],
    isCut: false,
    maintenance: [],
    ...fields,
  };
}

const render = (fields?: Partial<HistoryView>) =>
  renderToStaticMarkup(<MonthHistory view={monthOf(fields)} place={PLACE} t={T} />);

/** A part of the page by its ID. */
const partOf = (html: string, id: string) =>
  html.match(new RegExp(`<section id="${id}".*?</section>`, 's'))?.[0] ?? '';

/** The texts of the cells of a table, by row. */
function cellsOf(table: string): string[][] {
  return [...table.matchAll(/<tr.*?<\/tr>/gs)].map(([row]) =>
    [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell = '']) => cell.replace(/<[^>]*>/g, '')),
  );
}

describe('the history of a month', () => {
  it('links to the months before and after it, in the language of the page', () => {
    const html = render({ next: '2026-04' });
    expect(html).toContain(
      '<a href="/status/acme/history?month=2026-02&amp;lang=en" rel="prev">← February 2026</a>',
    );
    expect(html).toContain('<h2>March 2026</h2>');
    expect(html).toContain(
      '<a href="/status/acme/history?month=2026-04&amp;lang=en" rel="next">April 2026 →</a>',
    );
    const only = render({ previous: null });
    expect([only.includes('rel="prev"'), only.includes('rel="next"')]).toEqual([false, false]);
  });

  it('shows the uptime and days of every row, escaped, and what was measured before a correction', () => {
    const html = render({ monitors: [{ ...WEBSITE, measuredUptimePercentage: 98.5 }] });
    expect(html).toContain('<h3>Website &lt;1&gt;</h3>');
    expect(html).toContain('<span class="uptime">99.50% uptime (corrected, 98.50% measured)</span>');
    expect(render()).toContain('<span class="uptime">99.50% uptime</span>');
    expect(html).toContain('<ul class="list month">');
  });

  it('groups monitors and components in their sections', () => {
    const rows = [WEBSITE.id, HOTLINE.id].map((id) => ({ id, description: null }));
    const sections = [{ name: 'Shop', description: null, collapsed: false, anchor: 'section-shop', rows }];
    const html = render({ sections, components: [HOTLINE], quarters: ['2026-Q1', '2025-Q4'] });
    const shop = partOf(html, 'section-shop');
    expect(shop).toContain('<h3>Shop</h3>');
    expect(shop).toContain('<h4>Website &lt;1&gt;</h4>');
    expect(shop).toContain('<h4>Hotline</h4><span class="uptime">No data</span>');
    expect(cellsOf(partOf(html, 'quarters'))).toEqual([
      ['Systems', 'Q1 2026', 'Q4 2025'],
      ['Shop'],
      ['Website &lt;1&gt;', '99.70%', '98.00%'],
      ['Hotline', '97.50%', '–'],
    ]);
  });

  it('has the uptime by quarter and by month only where there are several', () => {
    const html = render({ year: ['2026-03', '2026-02'], quarters: ['2026-Q1'] });
    expect(partOf(html, 'quarters')).toBe('');
    const year = partOf(html, 'year');
    expect(cellsOf(year)).toEqual([
      ['Systems', 'Mar 2026', 'Feb 2026'],
      ['Website &lt;1&gt;', '99.50%', '–'],
    ]);
    expect(year).toContain('<a href="/status/acme/history?month=2026-02&amp;lang=en">Feb 2026</a>');
    expect(partOf(render({ year: ['2026-03'] }), 'year')).toBe('');
  });

  it('has what was measured below the uptimes of months and quarters that corrections change, and only there', () => {
    const measured = { uptimePercentage: 99.5, monthlyUptimes: [98.25, null], quarterlyUptimes: [99.7, 97] };
    const html = render({
      year: ['2026-03', '2026-02'],
      quarters: ['2026-Q1', '2025-Q4'],
      monitors: [{ ...WEBSITE, measured }],
    });
    expect(html.match(/<td>.*?<\/td>/g)).toEqual([
      '<td>99.70%</td>',
      '<td>98.00%<small>corrected, 97.00% measured</small></td>',
      '<td>99.50%<small>corrected, 98.25% measured</small></td>',
      '<td>–</td>',
    ]);
  });

  it('lists incidents with what they affected and a link to a published postmortem', () => {
    expect(partOf(render(), 'incidents')).toContain('<p class="empty">No incidents.</p>');
    const incidents = [LISTED, { ...LISTED, id: 'inc_02', hasPostmortem: true }];
    const html = partOf(render({ incidents, isCut: true }), 'incidents');
    expect(html.match(/Affects Website &lt;1&gt;/g)).toHaveLength(2);
    expect(html.match(/#postmortem/g)).toHaveLength(1);
    expect(html).toContain('href="/status/acme/incidents/inc_02?lang=en#postmortem"');
    expect(html).toContain('Only the 2 most recent incidents are shown.');
  });

  it('lists maintenance only if there was some', () => {
    expect(partOf(render(), 'maintenance')).toBe('');
    const startsAt = '2026-03-02T02:00:00.000Z';
    const done = {
      id: 'mnt_1',
      translations: {},
      title: 'Disks',
      message: '',
      monitors: [WEBSITE.id],
      startsAt,
      endsAt: startsAt,
    };
    expect(partOf(render({ maintenance: [done] }), 'maintenance')).toContain('Disks');
  });
});

describe('the search of incidents', () => {
  const search = (fields: Partial<SearchView> = {}) => {
    const { page, asOf } = sampleView(1);
    const view = {
      page,
      asOf,
      rows: [{ ...NAMED, createdAt: new Date(asOf), isCorrected: false }],
      text: '',
      incidents: [],
      isCut: false,
      ...fields,
    };
    return renderToStaticMarkup(<FoundIncidents view={view} place={PLACE} t={T} />);
  };

  it('is a form without a script that keeps the language and the text', () => {
    const html = renderToStaticMarkup(<SearchForm place={PLACE} text={'"<b>'} t={T} />);
    expect(html).toMatch(
      /^<search><form action="\/status\/acme\/search"><input type="hidden" name="lang" value="en"\/>/,
    );
    expect(html).toContain('value="&quot;&lt;b&gt;"');
    const plain = renderToStaticMarkup(<SearchForm place={{ base: '', lang: undefined }} t={T} />);
    expect(plain).toMatch(/^<search><form action="\/search"><input type="search"/);
  });

  it('shows a hint without a text, and one without results', () => {
    expect(search()).toContain('Enter one or more words.');
    expect(search({ text: '<b>' })).toContain('&lt;b&gt;');
    expect(search({ text: '<b>' })).toContain('No incidents match.');
  });

  it('lists what was found with its postmortem, whether there is more, and a link to the history', () => {
    const html = search({ text: 'disk', incidents: [{ ...LISTED, hasPostmortem: true }], isCut: true });
    expect(html).toContain('href="/status/acme/incidents/inc_01?lang=en#postmortem"');
    expect(html).toContain('Affects Website &lt;1&gt;');
    expect(html).toContain('Only the 1 most recent incidents are shown.');
    expect(html).toContain('<a href="/status/acme/history?lang=en">');
    expect(html).not.toContain('No incidents match.');
  });
});
