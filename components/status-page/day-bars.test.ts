import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import type { ViewedDay } from '@/lib/domain/status-pages/public/read-page-view';
import { DayBars, DaysWithIssues, listRuns } from './day-bars';
import { translatorOf } from './translator';

const GOOD = { status: 'operational', uptimePercentage: 100, downtime: 0, incidents: 0 } as const;
const UNKNOWN = { ...GOOD, status: null, uptimePercentage: null };
const DOWN = { status: 'down', uptimePercentage: 98, downtime: 60_000, incidents: 0 } as const;

function write(days: Omit<ViewedDay, 'date'>[], perRow = 30): string[] {
  const dated = days.map((day, index) => ({ ...day, date: `2026-03-${index + 1}` }));
  return listRuns(dated, perRow).map(
    ({ hasIssues, days: own }) => `${own.length}${hasIssues ? ' with issues' : ''}`,
  );
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

  it('never form a run across two rows of a narrow screen', () => {
    expect(
      write(
        Array.from({ length: 7 }, () => GOOD),
        3,
      ),
    ).toEqual(['3', '3', '1']);
  });
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
  const english = translatorOf('en');
  const render = (day: ViewedDay, t = english) =>
    [
      createElement(DayBars, { id: 'm0', name: 'Shop', days: [day], t }),
      createElement(DaysWithIssues, { days: [day], t }),
    ].map((element) => renderToStaticMarkup(element));

  it.each(Object.entries(changes))('is rendered again after %s', (_, day) => {
    const before = render(DAY);
    for (const [part, html] of render(day).entries()) expect(html).not.toBe(before[part]);
    expect(render(DAY)).toEqual(before);
  });

  it('is rendered in every language', () => {
    const textOf = (html = '') => /<(b|li)>.*?<\/\1>/.exec(html)?.[0];
    const [german, known] = [render(DAY, translatorOf('de')), render(DAY)].map((parts) => parts.map(textOf));
    for (const [part, text] of german?.entries() ?? []) expect(text).not.toBe(known?.[part]);
  });
});
