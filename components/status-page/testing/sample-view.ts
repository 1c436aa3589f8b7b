import { decidePageStatus } from '@/lib/domain/status-pages/page-status';
import type { PageView, ViewedDay, ViewedMonitor } from '@/lib/domain/status-pages/public/read-page-view';
import type { ViewedIncident } from '@/lib/domain/status-pages/public/read-public-incidents';
import { toComponent } from '@/lib/domain/status-pages/sections/list-rows';
import { BRAND_DEFAULTS } from '@/lib/schemas/status-pages/brand-defaults';
import { THEME_DEFAULTS } from '@/lib/schemas/status-pages/theme-defaults';

export const NOW = '2026-03-10T12:00:00.000Z';

const DAY = 86_400_000;
const NAMES = ['Website', 'Checkout API', 'Search', 'Sign-in', 'Uploads', 'Email', 'Webhooks', 'Billing'];

/** Reproducible random numbers from 0 to 1. */
function createDice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}

/** 90 days, of them a `share` with different issues. */
function sampleDays(seed: number, share = 0.12): ViewedDay[] {
  const roll = createDice(seed);
  return Array.from({ length: 90 }, (_, index) => {
    const date = new Date(Date.parse(NOW) - (89 - index) * DAY).toISOString().slice(0, 10);
    const isBad = roll() < share;
    if (index < (seed % 4) * 8) return { date, status: null, uptimePercentage: null, downtime: 0 };
    if (!isBad) return { date, status: 'operational', uptimePercentage: 100, downtime: 0 };
    if (roll() < 0.4)
      return {
        date,
        status: 'degraded',
        uptimePercentage: 100,
        downtime: 0,
        incidents: { all: 1, byPeople: 0 },
      };
    const downtime = Math.round(roll() * 9_000_000);
    const uptimePercentage = Math.floor((1 - downtime / DAY) * 10_000) / 100;
    const byPeople = Math.floor(roll() * 2);
    const incidents = { all: 1 + byPeople, byPeople };
    return { date, status: 'down', uptimePercentage, downtime, incidents };
  });
}

export function sampleMonitor(index: number, fields: Partial<ViewedMonitor> = {}): ViewedMonitor {
  const round = Math.floor(index / NAMES.length);
  return {
    id: `mon_${String(index).padStart(26, '0')}`,
    name: `${NAMES[index % NAMES.length]}${round === 0 ? '' : ` ${round + 1}`}`,
    type: 'http',
    status: 'operational',
    state: 'operational',
    enabled: true,
    inMaintenance: false,
    uptime: { days: 90, percentage: 99.9 - index / 100 },
    recentUptime: { days: 30, percentage: 99.95 - index / 100 },
    lastCheckedAt: NOW,
    lastResponseTime: 120,
    noDataSince: null,
    days: sampleDays(index),
    responseTimes: null,
    ...fields,
  };
}

/** 24 hours of varying response times with a gap. */
export function sampleResponseTimes(seed: number): NonNullable<ViewedMonitor['responseTimes']> {
  const roll = createDice(seed);
  const hours = Array.from({ length: 24 }, (_, hour) => {
    if (hour === 7) return { p50: null, p95: null };
    const p50 = 80 + Math.round(roll() * 60);
    return { p50, p95: p50 + Math.round(roll() * 220) };
  });
  return { hours, total: { p50: 108, p95: 260 } };
}

export function sampleIncident(fields: Partial<ViewedIncident> = {}): ViewedIncident {
  return {
    stillFailing: [],
    id: 'inc_01',
    title: 'Checkout API is down',
    description: '',
    status: 'investigating',
    severity: 'critical',
    affectedMonitors: [sampleMonitor(1).id],
    affectedComponents: [],
    impacts: {},
    translations: {},
    automatic: false,
    startedAt: '2026-03-10T11:20:00.000Z',
    createdAt: '2026-03-10T11:22:00.000Z',
    updatedAt: '2026-03-10T11:42:00.000Z',
    resolvedAt: null,
    updates: [
      {
        id: 'upd_02',
        translations: {},
        status: 'identified',
        message: 'A database replica is out of disk. We are moving traffic away from it.',
        createdAt: '2026-03-10T11:42:00.000Z',
      },
      {
        id: 'upd_01',
        translations: {},
        status: 'investigating',
        message: 'Payments fail for some customers.',
        createdAt: '2026-03-10T11:20:00.000Z',
      },
    ],
    ...fields,
  };
}

/** A page of `count` monitors. */
export function sampleView(count: number, fields: Partial<PageView> = {}): PageView {
  return {
    page: {
      id: 'sp_01',
      name: 'Acme',
      slug: 'acme',
      description: 'Status of everything that Acme runs for you.',
      published: true,
      theme: THEME_DEFAULTS,
      appearance: 'dark',
      logoUrl: null,
      customDomain: null,
      customDomainVerified: false,
      embedOrigins: [],
      showResponseTimes: false,
      uptimeDays: 90,
      ...BRAND_DEFAULTS,
      createdAt: '2025-01-01T00:00:00.000Z',
      updatedAt: '2025-01-01T00:00:00.000Z',
    },
    asOf: NOW,
    status: decidePageStatus([], [], { automaticDelay: 0 }).status,
    sections: [],
    components: [],
    monitors: Array.from({ length: count }, (_, index) => sampleMonitor(index)),
    incidents: [],
    maintenance: [],
    ...fields,
  };
}

const NO_DATA = { uptime: { days: 90, percentage: null }, recentUptime: { days: 30, percentage: null } };

/** Everything a page can show: 20 monitors in every state, incidents, maintenance. */
export function busyView(fields: Partial<PageView> = {}): PageView {
  const view = sampleView(20);
  const [, down, slow, worked, , paused, fresh] = view.monitors;
  if (down) down.status = 'down';
  if (slow) slow.status = 'degraded';
  if (worked) worked.inMaintenance = true;
  if (paused) paused.enabled = false;
  if (fresh) Object.assign(fresh, { status: 'pending', ...NO_DATA, days: fresh.days.map(withoutData) });
  const past = Array.from({ length: 8 }, (_, index) => {
    const createdAt = new Date(Date.parse(NOW) - (index + 1.4) * DAY).toISOString();
    const resolvedAt = new Date(Date.parse(createdAt) + (index + 1) * 840_000).toISOString();
    const { id, name } = view.monitors[index] ?? { id: '', name: '' };
    return sampleIncident({
      id: `inc_1${index}`,
      title: `${name} is down`,
      status: 'resolved',
      severity: index % 2 ? 'minor' : 'critical',
      affectedMonitors: [id],
      createdAt,
      resolvedAt,
    });
  });
  return {
    ...view,
    incidents: [sampleIncident(), ...past],
    maintenance: [
      {
        id: 'mnt_01',
        translations: {},
        title: 'Moving the sign-in service to new hardware',
        message: 'Sessions stay; signing in can take a few seconds longer.',
        status: 'active',
        monitors: worked ? [worked.id] : [],
        startsAt: '2026-03-10T11:00:00.000Z',
        endsAt: '2026-03-10T13:00:00.000Z',
      },
      {
        id: 'mnt_02',
        translations: {},
        title: 'Database upgrade',
        message: '',
        status: 'scheduled',
        monitors: view.monitors.slice(0, 2).map((monitor) => monitor.id),
        startsAt: '2026-03-14T02:00:00.000Z',
        endsAt: '2026-03-14T04:00:00.000Z',
      },
    ],
    ...fields,
  };
}

function withoutData({ date }: ViewedDay): ViewedDay {
  return { date, status: null, uptimePercentage: null, downtime: 0 };
}

/** A page of `count` monitors in sections of about the same size, each of which has a component too. */
export function sampleSections(count: number, sections: number): PageView {
  const view = sampleView(count);
  const size = Math.ceil(count / sections);
  const state = 'operational' as const;
  return {
    ...view,
    sections: Array.from({ length: sections }, (_, place) => {
      const own = view.monitors.slice(place * size, (place + 1) * size).map(({ id }) => id);
      const rows = [...own, `cmp_${place + 1}`].map((id) => ({ id, description: null, state }));
      const name = `Section ${place + 1}`;
      return {
        name,
        description: 'What it is for',
        collapsed: false,
        state,
        anchor: `section-section-${place + 1}`,
        rows,
      };
    }),
    components: Array.from({ length: sections }, (_, place) =>
      toComponent(`cmp_${place + 1}`, `Component ${place + 1}`),
    ),
  };
}
