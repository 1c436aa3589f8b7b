import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import type { ViewedDay } from '@/lib/domain/status-pages/public/read-page-view';
import { DayBars, listRuns } from './day-bars';
import { translatorOf } from './translator';

const GOOD = { status: 'operational', uptimePercentage: 100, downtime: 0 } as const;
const UNKNOWN = { ...GOOD, status: null, uptimePercentage: null };
const DOWN = { status: 'down', uptimePercentage: 98, downtime: 60_000 } as const;
const BY_PEOPLE = { incidents: { all: 1, byPeople: 1 } };
const AUTOMATIC = { incidents: { all: 1, byPeople: 0 } };

function write(days: Omit<ViewedDay, 'date'>[]): string[] {
  const dated = days.map((day, index) => ({ ...day, date: `2026-03-${index + 1}` }));
  return listRuns(dated).map(({ isSingle, days: own }) => `${own.length}${isSingle ? ' with issues' : ''}`);
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
    expect(write([GOOD, { ...GOOD, ...BY_PEOPLE }])).toEqual(['1', '1 with issues']);
    expect(write([{ ...UNKNOWN, ...BY_PEOPLE }, UNKNOWN])).toEqual(['1 with issues', '1']);
  });
});

const english = translatorOf('en');
const render = (days: ViewedDay[], t = english) =>
  renderToStaticMarkup(createElement(DayBars, { id: 'mon_1', name: 'Shop', days, t }));

/** As many days up to May 30, those at the given places with issues of their own. */
const datedDays = (count: number, others: Record<number, Omit<ViewedDay, 'date'>> = {}) =>
  Array.from({ length: count }, (_, index) => ({
    ...(others[index] ?? GOOD),
    date: new Date(Date.UTC(2026, 4, 30 - (count - 1 - index))).toISOString().slice(0, 10),
  }));

describe('the days that a phone shows', () => {
  it.each([90, 60])('are the last 30 of %i, in an element of their own, with their own labels', (count) => {
    const html = render(datedDays(count, { 0: DOWN, [count - 1]: DOWN }));
    const [, older = '', recent = ''] = /<span class=older>(.*?)<\/span>(.*)/s.exec(html) ?? [];
    const daysIn = (part: string) =>
      [...part.matchAll(/<(?:i class="n(\d+)|label)/g)].reduce(
        (sum, [, days = '1']) => sum + Number(days),
        0,
      );
    expect([daysIn(older), daysIn(recent)]).toEqual([count - 30, 30]);
    expect(html).toContain(
      `<span class=whole>${count} days ago</span><span class=recent>30 days ago</span><span>Today</span>`,
    );
    expect(html).toContain(
      '<summary><span class=whole>2 days with issues</span><span class=recent>1 day with issues</span></summary>',
    );
    expect(html).toContain(count === 90 ? '<form class="bars"' : '<form class="bars d60"');
  });

  it('are all days of a page of 30, with one label', () => {
    const html = render(datedDays(30, { 3: DOWN }));
    expect(html).toContain('<form class="bars d30"');
    expect(html).toContain('<p class=scale aria-hidden=true><span>30 days ago</span><span>Today</span></p>');
    expect(html).not.toMatch(/older|recent/);
  });

  it('hide the count of issues that they do not have', () => {
    expect(render(datedDays(90, { 3: DOWN }))).toContain(
      '<details class="issues whole"><summary>1 day with issues</summary></details>',
    );
  });
});

describe('days with an incident', () => {
  it('that people opened are marked, named in their text, explained below, and counted', () => {
    const html = render(datedDays(30, { 3: { ...GOOD, ...BY_PEOPLE }, 5: { ...DOWN, ...BY_PEOPLE } }));
    expect(html).toContain(
      '<label class="inc"><input type=radio name=d><b>May 4, 2026: Operational, 1 reported incident</b>',
    );
    expect(html).toContain('<label class="bad inc">');
    expect(html).toContain(
      '<summary>2 days with issues<span class=key aria-hidden=true>Reported incident</span></summary>',
    );
  });

  it('are distinguished by who opened it', () => {
    const html = render(datedDays(30, { 5: { ...DOWN, incidents: { all: 3, byPeople: 1 } } }));
    expect(html).toContain('98.00% uptime, 2 incidents, 1 reported incident</b>');
  });

  it('that Pharos opened count only where their bars are colored', () => {
    const html = render(datedDays(30, { 3: { ...GOOD, ...AUTOMATIC }, 5: { ...DOWN, ...AUTOMATIC } }));
    expect(html).toContain('<details class=issues><summary>1 day with issues</summary></details>');
    expect(html.match(/<label/g)).toHaveLength(1);
    expect(html).not.toMatch(/class="?(\w+ )?inc\b/);
  });

  it('are as many as the bars that are not plain', () => {
    const days = datedDays(30, {
      3: { ...UNKNOWN, ...AUTOMATIC },
      4: UNKNOWN,
      5: DOWN,
      6: { ...UNKNOWN, ...BY_PEOPLE },
    });
    const html = render([
      ...days.slice(0, -1),
      { ...DOWN, status: 'degraded', downtime: 0, date: '2026-05-30' },
    ]);
    const striking = [...html.matchAll(/<label class="?([^">]*)/g)].filter(([, look = '']) =>
      /slow|bad|inc/.test(look),
    );
    expect(html).toContain(`<summary>${striking.length} days with issues`);
    expect(striking).toHaveLength(3);
  });
});

it('older days and those of a phone never form a run', () => {
  expect(render(datedDays(90)).match(/class="n\d+/g)).toEqual(['class="n30', 'class="n30', 'class="n30']);
});

it('the text of a day with issues is sent once, and nothing else is said of other days', () => {
  const days = Array.from({ length: 90 }, (_, index) => ({
    ...(index % 2 === 0 ? DOWN : GOOD),
    date: new Date(Date.UTC(2026, 2, index + 1)).toISOString().slice(0, 10),
  }));
  const html = render(days);
  expect(html.match(/Mar 1, 2026/g)).toHaveLength(1);
  expect(html).toContain('<span class=whole>45 days with issues</span>');
  expect(render(days.map((day) => ({ ...GOOD, date: day.date })))).not.toContain('details');
});

describe('what was rendered before', () => {
  const DAY = { date: '2026-03-01', ...DOWN };
  const changes = {
    'another day': { ...DAY, date: '2026-03-02' },
    'another status': { ...DAY, status: 'degraded' },
    'more downtime': { ...DAY, downtime: 120_000 },
    'another uptime': { ...DAY, uptimePercentage: 97 },
    'an incident': { ...DAY, ...AUTOMATIC },
    'an incident of people': { ...DAY, ...BY_PEOPLE },
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
