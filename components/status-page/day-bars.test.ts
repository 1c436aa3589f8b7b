import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import type { ViewedDay } from '@/lib/domain/status-pages/public/read-page-view';
import { DayBars, listRuns } from './day-bars';
import { translatorOf } from './translator';

const GOOD = { status: 'operational', uptimePercentage: 100, downtime: 0, incidents: 0 } as const;
const UNKNOWN = { ...GOOD, status: null, uptimePercentage: null };
const DOWN = { status: 'down', uptimePercentage: 98, downtime: 60_000, incidents: 0 } as const;

function write(days: Omit<ViewedDay, 'date'>[]): string[] {
  const dated = days.map((day, index) => ({ ...day, date: `2026-03-${index + 1}` }));
  return listRuns(dated).map(({ hasIssues, days: own }) => `${own.length}${hasIssues ? ' with issues' : ''}`);
}

describe('adjacent days', () => {
  it('without issues form one run', () => {
    expect(write([GOOD, GOOD, GOOD])).toEqual(['3']);
    expect(write([])).toEqual([]);
  });

  it('that look different form separate runs', () => {
    expect(write([UNKNOWN, UNKNOWN, GOOD])).toEqual(['2', '1']);
  });

  it('with issues each form a run of their own', () => {
    expect(write([GOOD, DOWN, DOWN, GOOD, GOOD])).toEqual(['1', '1 with issues', '1 with issues', '2']);
    expect(write([GOOD, { ...GOOD, incidents: 1 }])).toEqual(['1', '1 with issues']);
    expect(write([{ ...UNKNOWN, incidents: 1 }, UNKNOWN])).toEqual(['1 with issues', '1']);
  });
});

const english = translatorOf('en');
const render = (days: ViewedDay[], t = english, perRow = 30) =>
  renderToStaticMarkup(createElement(DayBars, { id: 'mon_1', name: 'Shop', days, perRow, t }));

it('days of two rows of a narrow screen never form a run', () => {
  const days = Array.from({ length: 7 }, (_, index) => ({ ...GOOD, date: `2026-03-0${index + 1}` }));
  expect(render(days, english, 3).match(/class="n\d/g)).toEqual(['class="n3', 'class="n3', 'class="n1']);
});

it('the text of a day with issues is sent once, and nothing else is said of other days', () => {
  const days = Array.from({ length: 90 }, (_, index) => ({
    ...(index % 2 === 0 ? DOWN : GOOD),
    date: new Date(Date.UTC(2026, 2, index + 1)).toISOString().slice(0, 10),
  }));
  const html = render(days);
  expect(html.match(/Mar 1, 2026/g)).toHaveLength(1);
  expect(html).toContain('<details class=issues><summary>45 days with issues</summary></details>');
  expect(render(days.map((day) => ({ ...GOOD, date: day.date })))).not.toContain('details');
});

describe('what was rendered before', () => {
  const DAY = { date: '2026-03-01', ...DOWN };
  const changes = {
    'another day': { ...DAY, date: '2026-03-02' },
    'another status': { ...DAY, status: 'degraded' },
    'more downtime': { ...DAY, downtime: 120_000 },
    'another uptime': { ...DAY, uptimePercentage: 97 },
    'an incident': { ...DAY, incidents: 1 },
  } satisfies Record<string, ViewedDay>;

  it.each(Object.entries(changes))('is rendered again after %s', (_, day) => {
    const before = render([DAY]);
    expect(render([day])).not.toBe(before);
    expect(render([DAY])).toBe(before);
  });

  it('is rendered in every language', () => {
    const textOf = (html: string) => /<b>.*?<\/b>/.exec(html)?.[0];
    expect(textOf(render([DAY], translatorOf('de')))).not.toBe(textOf(render([DAY])));
  });

  it('does not keep a day that changes from its monitor: others have their own', () => {
    const other = renderToStaticMarkup(
      createElement(DayBars, { id: 'mon_2', name: 'Mail', days: [{ ...DAY, downtime: 1000 }], t: english }),
    );
    expect(render([DAY])).toContain('Down for 1 min');
    expect(other).toContain('Down for 1 sec');
  });
});
