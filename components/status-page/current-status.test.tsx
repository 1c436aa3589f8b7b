import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { ViewedMonitor } from '@/lib/domain/status-pages/public/read-page-view';
import { LANGUAGES, type Language } from '@/lib/schemas/language';
import { REFRESH_SCRIPT } from './freshness';
import { MESSAGES } from './messages';
import { linePath } from './monitor-row';
import { renderView } from './testing/render-view';
import {
  busyView,
  sampleIncident,
  sampleMonitor,
  sampleResponseTimes,
  sampleView,
} from './testing/sample-view';

const weigh = (html: string) => gzipSync(html).length;
const count = (html: string, pattern: RegExp) => html.match(pattern)?.length ?? 0;

describe('a page of 20 monitors with 90 days each', () => {
  it.each(LANGUAGES)('weighs less than 20 KB in %s with every kind of content', (language) => {
    expect(weigh(renderView(busyView(), language))).toBeLessThan(20_000);
  });

  it('weighs less than 20 KB with a chart for every monitor', () => {
    const view = busyView();
    for (const [index, monitor] of view.monitors.entries())
      monitor.responseTimes = sampleResponseTimes(index);
    expect(weigh(renderView(view))).toBeLessThan(20_000);
  });

  it('has one script of about a kilobyte and loads no other resources', () => {
    const html = renderView(busyView());
    expect(count(html, /<script/g)).toBe(1);
    expect(html).toContain(`<script>${REFRESH_SCRIPT}</script>`);
    expect(weigh(REFRESH_SCRIPT)).toBeLessThan(1100);
    expect(html).not.toMatch(/<(link rel="(stylesheet|preload)|iframe|object|embed)| style=| on\w+=|url\(/);
    expect(html).not.toMatch(/ src=/);
  });
});

describe('the headline', () => {
  it('names whom it is about, and counts incidents', () => {
    const view = sampleView(6);
    const html = renderView({ ...view, incidents: [sampleIncident()] });
    expect(html).toContain('<title>Major outage – Acme</title>');
    expect(html).toContain('<h2>Major outage</h2><p>Affects Checkout API</p>');
    const affectedMonitors = view.monitors.map(({ id }) => id);
    const incidents = [
      sampleIncident({ severity: 'major', affectedMonitors }),
      sampleIncident({ severity: 'minor' }),
    ];
    expect(renderView({ ...view, incidents })).toContain(
      '<h2>Partial outage</h2><p>Affects Website, Checkout API, Search, 3 more · 2 open incidents</p>',
    );
  });
});

describe('an incident', () => {
  it.each(LANGUAGES)('that people resolved before its outage is over says so, in %s', (language) => {
    const view = sampleView(2);
    const [{ id = '', name = '' } = {}] = view.monitors;
    const over = {
      status: 'resolved' as const,
      resolvedAt: '2026-03-10T11:50:00.000Z',
      affectedMonitors: [id],
    };
    const render = (stillFailing: string[]) => {
      const html = renderView({ ...view, incidents: [sampleIncident({ ...over, stillFailing })] }, language);
      return html.match(/<section id="past">.*<\/section>/s)?.[0] ?? '';
    };
    const note = MESSAGES[language].stillFailing.replace('{names}', name);
    expect(render([id])).toContain(`<p class="text">${note}</p>`);
    expect(render([id])).not.toContain('icon good');
    for (const stillFailing of [[], ['mon_of_another_page']]) {
      expect(render(stillFailing)).not.toContain('<p class="text">');
    }
  });

  it('names the severity of rows that have one of their own', () => {
    const view = sampleView(3);
    const [first, second] = view.monitors.map(({ id }) => id);
    const affected = {
      affectedMonitors: [first ?? '', second ?? ''],
      impacts: { [second ?? '']: 'minor' as const },
    };
    const incidents = [sampleIncident({ severity: 'major', ...affected })];
    expect(renderView({ ...view, incidents })).toContain('Affects Website, Checkout API (Minor)</p>');
  });

  it('is in the language of the page, as far as people or the service translated it', () => {
    const view = sampleView(1);
    const written = sampleIncident({
      title: 'Checkout fails',
      translations: { de: { title: 'Kasse fällt aus' } },
      updates: [
        {
          id: 'upd_2',
          status: 'identified',
          message: 'Found it.',
          createdAt: '2026-03-10T11:30:00Z',
          translations: { de: { message: 'Gefunden.' } },
        },
        {
          id: 'upd_1',
          status: 'investigating',
          message: 'We look.',
          createdAt: '2026-03-10T11:20:00Z',
          translations: {},
        },
      ],
    });
    const own = sampleIncident({ automatic: true, title: 'Website is down', description: '', updates: [] });
    const render = (language: Language) => renderView({ ...view, incidents: [written, own] }, language);
    const [german, english] = [render('de'), render('en')];
    for (const text of ['Kasse fällt aus', 'Gefunden.', 'We look.', 'Website ist ausgefallen']) {
      expect(german).toContain(text);
    }
    for (const text of ['Checkout fails', 'Found it.', 'Website is down']) {
      expect(german).not.toContain(text);
      expect(english).toContain(text);
    }
  });
});

describe('maintenance', () => {
  it('is in the language of the page, if it was translated', () => {
    const view = busyView();
    const maintenance = view.maintenance.map((each) => ({
      ...each,
      translations: { de: { title: 'Neue Platten' } },
    }));
    const german = renderView({ ...view, maintenance }, 'de');
    expect(german).toContain('Neue Platten');
    expect(german).not.toContain(view.maintenance[0]?.title);
    expect(renderView({ ...view, maintenance })).not.toContain('Neue Platten');
  });
});

describe('a monitor', () => {
  it('shows its state as text and as a distinct icon', () => {
    const html = renderView(busyView());
    for (const [tone, words] of [
      ['good', 'Operational'],
      ['slow', 'Degraded'],
      ['bad', 'Down'],
      ['info', 'Maintenance'],
      ['rest', 'Paused'],
      ['rest', 'No data yet'],
    ]) {
      const sign = `<svg class="icon ${tone}" aria-hidden="true"><use href="#i-${tone}"></use></svg>`;
      expect(html).toContain(`<span class="state ${tone}">${sign}${words}</span>`);
    }
  });

  it('describes what happened on each day', () => {
    const blank = { downtime: 0 };
    const days = [
      { ...blank, date: '2026-03-05', status: null, uptimePercentage: null },
      { ...blank, date: '2026-03-06', status: 'operational' as const, uptimePercentage: 100 },
      {
        ...blank,
        date: '2026-03-07',
        status: 'degraded' as const,
        uptimePercentage: 100,
        incidents: { all: 1, byPeople: 0 },
      },
      {
        date: '2026-03-08',
        status: 'down' as const,
        uptimePercentage: 99.02,
        downtime: 840_000,
        incidents: { all: 2, byPeople: 0 },
      },
    ];
    const html = renderView(sampleView(1, { monitors: [sampleMonitor(0, { days })] }));
    const texts = [...html.matchAll(/<b>([^<]+)<\/b>/g)];
    expect(texts.map((match) => match[1])).toEqual([
      'Mar 5, 2026: No data',
      'Mar 6, 2026: Operational',
      'Mar 7, 2026: Degraded, 100% uptime, 1 incident',
      'Mar 8, 2026: Down for 14 min, 99.02% uptime, 2 incidents',
    ]);
    expect(html).toContain('<fieldset aria-label="Website: day by day">');
    const selectable = [...html.matchAll(/<input type=radio name=d><b>([^:]+)/g)];
    expect(
      selectable.map((match) => match[1]),
      'only days with issues can be selected',
    ).toEqual(['Mar 7, 2026', 'Mar 8, 2026']);
  });

  it('shows its uptime over the days of its bars with what it covers: on a phone, too, or since the first data', () => {
    const whole = sampleMonitor(0, {
      uptime: { days: 90, percentage: 99.9 },
      recentUptime: { days: 30, percentage: 100 },
    });
    const write = (known: number) => {
      const days = whole.days.map((day, place) =>
        place < whole.days.length - known
          ? { date: day.date, status: null, uptimePercentage: null, downtime: 0 }
          : day,
      );
      return renderView(sampleView(1, { monitors: [{ ...whole, days }] }));
    };
    const both = (all: string, recent: string) =>
      `<span class="uptime"><span class="whole">${all}</span><span class="recent">${recent}</span></span>`;
    expect(write(90)).toContain(both('99.90% uptime, 90 days', '100% uptime, 30 days'));
    expect(write(89)).toContain(both('99.90% uptime since Dec 12, 2025', '100% uptime, 30 days'));
    expect(write(30)).toContain(both('99.90% uptime since Feb 9, 2026', '100% uptime, 30 days'));
    expect(write(1)).toContain(both('99.90% uptime since Mar 10, 2026', '100% uptime since Mar 10, 2026'));
  });

  it('shows one uptime where a phone shows the same', () => {
    const show = (fields: Partial<ViewedMonitor>) =>
      renderView(sampleView(1, { monitors: [sampleMonitor(0, fields)] }));
    const days = sampleMonitor(0).days.slice(-30);
    const uptime = { days: 30, percentage: 98 };
    expect(show({ days, uptime, recentUptime: null })).toContain(
      '<span class="uptime">98.00% uptime, 30 days</span>',
    );
    const young = sampleMonitor(0).days.map((day, place) =>
      place < 80 ? { date: day.date, status: null, uptimePercentage: null, downtime: 0 } : day,
    );
    const same = { uptime: { days: 90, percentage: 98 }, recentUptime: uptime };
    expect(show({ days: young, ...same })).toContain(
      '<span class="uptime">98.00% uptime since Mar 1, 2026</span>',
    );
  });

  it('shows a dash where nothing is known, and what was measured where corrections change it', () => {
    const days = sampleMonitor(0).days.slice(-30);
    const show = (uptime: ViewedMonitor['uptime'], own = days) =>
      renderView(sampleView(1, { monitors: [sampleMonitor(0, { days: own, uptime, recentUptime: null })] }));
    const unknown = days.map(({ date }) => ({ date, status: null, uptimePercentage: null, downtime: 0 }));
    expect(show({ days: 30, percentage: null }, unknown)).toContain('>– uptime, 30 days<');
    expect(show({ days: 30, percentage: 100, measured: 98.5 })).toContain(
      '>100% uptime, 30 days (corrected, 98.50% measured)<',
    );
  });

  it('has empty bars for the days before its first data', () => {
    const { days } = sampleMonitor(0);
    const known = days.map((day, place) => ({
      ...day,
      ...(place < 88 ? { status: null, uptimePercentage: null } : { status: 'operational' as const }),
      downtime: 0,
      incidents: undefined,
    }));
    const html = renderView(sampleView(1, { monitors: [sampleMonitor(0, { days: known })] }));
    expect(html.match(/<i class="[^"]+"/g)).toEqual([
      '<i class="n30 none"',
      '<i class="n30 none"',
      '<i class="n28 none"',
      '<i class="n2"',
    ]);
  });

  it('groups days that look the same', () => {
    const quiet = { status: 'operational' as const, uptimePercentage: 100, downtime: 0 };
    const days = ['2026-03-05', '2026-03-06', '2026-03-07'].map((date) => ({ ...quiet, date }));
    const html = renderView(sampleView(1, { monitors: [sampleMonitor(0, { days })] }));
    expect(html).toMatch(/<i class="n3"><b>Mar 5\s–\s7, 2026: Operational<\/b><\/i>/);
  });

  it('shows response times only if its owner enabled them', () => {
    const view = sampleView(1);
    expect(renderView(view)).not.toContain('Response time');
    const [monitor] = view.monitors;
    if (monitor) monitor.responseTimes = sampleResponseTimes(1);
    expect(renderView(view)).toContain('Response time, last 24 hours: median 108 ms, 95th percentile 260 ms');
    if (monitor) monitor.responseTimes = { hours: [], total: { p50: null, p95: null } };
    expect(renderView(view)).toContain('Response time, last 24 hours: no data yet');
  });

  it('draws a line with gaps where there is no data', () => {
    const hours = [10, null, 20, 30].map((ms) => ({ p50: ms, p95: ms }));
    expect(linePath(hours, 'p50', 30)).toBe('M0 26h5M20 14L30 1');
    expect(linePath([], 'p50', 1)).toBe('');
    // The only result so far is in the last hour: it has to be inside the chart.
    expect(
      linePath(
        [
          { p50: null, p95: null },
          { p50: 30, p95: 30 },
        ],
        'p50',
        30,
      ),
    ).toBe('M5 1h5');
  });
});

describe('user input', () => {
  const HOSTILE = `<img src=x onerror=alert(1)>"'&</script><style>*{display:none}</style>`;

  it('is rendered as text everywhere', () => {
    const view = sampleView(1, {
      monitors: [sampleMonitor(0, { name: HOSTILE })],
      incidents: [
        sampleIncident({
          title: HOSTILE,
          description: HOSTILE,
          affectedMonitors: [sampleMonitor(0).id],
          updates: [
            {
              id: 'upd_1',
              translations: {},
              status: 'investigating',
              message: HOSTILE,
              createdAt: '2026-03-10T11:00:00Z',
            },
          ],
        }),
      ],
      maintenance: [
        {
          id: 'mnt_1',
          title: HOSTILE,
          message: HOSTILE,
          translations: {},
          status: 'active',
          monitors: [],
          startsAt: '2026-03-10T11:00:00Z',
          endsAt: '2026-03-10T13:00:00Z',
        },
      ],
    });
    const page = { ...view.page, name: HOSTILE, description: HOSTILE };
    const html = renderView({ ...view, page });
    expect(html).not.toContain('<img');
    expect(count(html, /<script/g)).toBe(1);
    expect(count(html, /<style/g)).toBe(2);
    expect(count(html, /&lt;img src=x onerror=alert\(1\)&gt;/g)).toBeGreaterThan(10);
  });

  it.each([
    'javascript:alert(1)',
    'http://acme.test/logo.png',
    'data:image/svg+xml,<svg onload=alert(1)>',
    '//acme.test/logo.png',
    'https://me:pw@acme.test/logo.png',
    'https://',
  ])('is not accepted as a logo: %s', (logoUrl) => {
    const view = sampleView(1);
    expect(renderView({ ...view, page: { ...view.page, logoUrl } })).not.toContain('<img');
  });

  it('may be a logo over https, fetched without a referrer', () => {
    const view = sampleView(1);
    const html = renderView({ ...view, page: { ...view.page, logoUrl: 'https://acme.test/a"b.svg' } });
    expect(html).toContain(
      '<img src="https://acme.test/a%22b.svg" alt="" height="32" loading="lazy" referrerPolicy="no-referrer"/>',
    );
  });
});
