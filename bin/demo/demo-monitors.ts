import { createFailure, createSuccess } from '@/lib/checks/probe-result';
import type { ProbeResult } from '@/lib/checks/result';
import { CHECK_TYPES, type MonitorType } from '@/lib/checks/types';
import type { RegionId } from '@/lib/schemas/regions';

const MINUTE = 60_000;

const DAY_MS = 1440 * MINUTE;

/** Relative response times per region. */
const DISTANCE: Record<string, number> = { 'us-east': 1, 'eu-west': 1.35, 'ap-southeast': 2.1 };

/** A past period in which a demo monitor failed or was slow. */
export type Trouble = {
  /** How many minutes ago it began, and how long it lasted. */
  minutesAgo: number;
  minutes: number;
  kind: 'failing' | 'slow';
  /** The affected regions; all by default. */
  regions?: string[];
};

/** A monitor of the demo: its target, usual response time, and past problems. */
export type DemoMonitor = {
  name: string;
  type: MonitorType;
  /** The target on the service at this address, so that checks keep running in the demo. */
  target(service: URL): string;
  tags: string[];
  regions: RegionId[];
  /** Response time in the first region at quiet hours, in milliseconds. */
  usual: number;
  /** Response time above which it is degraded, in milliseconds. */
  degradedThreshold?: number;
  isPaused?: boolean;
  error: { code: 'timeout' | 'connect' | 'status'; message: string };
  statusCode?: number;
  troubles: Trouble[];
};

const DAY = 24 * 60;
const HERE: RegionId[] = ['us-east', 'eu-west'];
const EVERYWHERE: RegionId[] = [...HERE, 'ap-southeast'];

const live = (as: string) => (service: URL) => new URL(`/api/live?as=${as}`, service).href;
const port = (service: URL) =>
  `${service.hostname}:${service.port || (service.protocol === 'https:' ? 443 : 80)}`;

const TIMED_OUT = { code: 'timeout', message: 'no response within 30s' } as const;
const REFUSED = { code: 'connect', message: 'connection refused' } as const;
const UNAVAILABLE = { code: 'status', message: 'responded with 503, expected 200' } as const;

const down = (days: number, minutes: number): Trouble => ({
  minutesAgo: Math.round(days * DAY),
  minutes,
  kind: 'failing',
});
const slow = (days: number, minutes: number): Trouble => ({ ...down(days, minutes), kind: 'slow' });
const inOneRegion = (days: number, minutes: number): Trouble => ({
  ...down(days, minutes),
  regions: ['eu-west'],
});

/** The demo: parts of a web shop, each of them this service under another name. */
export const DEMO_MONITORS: readonly DemoMonitor[] = [
  {
    name: 'Website',
    type: 'http',
    target: live('website'),
    tags: ['public', 'web'],
    regions: EVERYWHERE,
    usual: 140,
    error: UNAVAILABLE,
    statusCode: 503,
    troubles: [down(61.4, 25), slow(33.2, 90), inOneRegion(12.7, 40), down(5.3, 15)],
  },
  {
    name: 'Checkout API',
    type: 'http',
    target: live('checkout'),
    tags: ['public', 'api'],
    regions: EVERYWHERE,
    usual: 210,
    error: TIMED_OUT,
    // Single failed checks do not alert, but show in a backtest with a different threshold.
    troubles: [
      down(74.1, 55),
      down(47.6, 20),
      slow(21.3, 130),
      down(8.9, 45),
      down(1.2, 30),
      ...[1.7, 0.95, 0.6, 0.25].map((days) => down(days, 1)),
    ],
  },
  {
    name: 'Search API',
    type: 'http',
    target: live('search'),
    tags: ['public', 'api'],
    regions: HERE,
    usual: 95,
    error: UNAVAILABLE,
    statusCode: 503,
    troubles: [slow(68, 200), slow(27.5, 60), inOneRegion(3.4, 35)],
  },
  {
    name: 'Login',
    type: 'http',
    target: live('login'),
    tags: ['public', 'web'],
    regions: HERE,
    usual: 120,
    error: TIMED_OUT,
    troubles: [down(39.8, 20)],
  },
  {
    name: 'Images',
    type: 'http',
    target: live('images'),
    tags: ['public', 'cdn'],
    regions: EVERYWHERE,
    usual: 45,
    error: UNAVAILABLE,
    statusCode: 503,
    troubles: [inOneRegion(52.2, 180), inOneRegion(16.6, 75)],
  },
  {
    name: 'Webhooks',
    type: 'http',
    target: live('webhooks'),
    tags: ['api'],
    regions: HERE,
    usual: 180,
    error: TIMED_OUT,
    troubles: [down(80.3, 35), slow(14.1, 45)],
  },
  {
    name: 'Admin',
    type: 'http',
    target: live('admin'),
    tags: ['internal', 'web'],
    regions: ['us-east'],
    usual: 260,
    error: UNAVAILABLE,
    statusCode: 503,
    troubles: [down(44, 300), down(9.6, 65)],
  },
  {
    name: 'Reports',
    type: 'http',
    target: live('reports'),
    tags: ['internal'],
    // No HTTP response takes less than a millisecond, so this one stays degraded.
    regions: HERE,
    usual: 2400,
    degradedThreshold: 1,
    error: TIMED_OUT,
    troubles: [slow(30.5, 240), slow(0.4, 600)],
  },
  {
    name: 'Database port',
    type: 'tcp',
    target: port,
    tags: ['internal', 'database'],
    regions: ['us-east'],
    usual: 3,
    error: REFUSED,
    troubles: [down(23.4, 15)],
  },
  {
    name: 'Load balancer',
    type: 'tcp',
    target: port,
    tags: ['internal'],
    regions: HERE,
    usual: 12,
    error: REFUSED,
    troubles: [],
  },
  {
    // Nothing listens on the discard port: this one is really down.
    name: 'Old mail server',
    type: 'tcp',
    target: () => '127.0.0.1:9',
    tags: ['internal', 'mail'],
    regions: HERE,
    usual: 20,
    error: REFUSED,
    troubles: [down(58.3, 40), down(0.11, 160)],
  },
  {
    name: 'Mail records',
    type: 'dns',
    target: () => 'dns:///example.com?type=MX',
    tags: ['mail'],
    regions: HERE,
    usual: 18,
    isPaused: true,
    error: TIMED_OUT,
    troubles: [],
  },
];

/** The result of a demo check at `at` (epoch milliseconds): deterministic, slower by day, occasionally very slow. */
export function sampleCheck(monitor: DemoMonitor, region: string, at: number, now: number): ProbeResult {
  const trouble = monitor.troubles.find(({ minutesAgo, minutes, regions }) => {
    const since = now - minutesAgo * MINUTE;
    return at >= since && at < since + minutes * MINUTE && (regions?.includes(region) ?? true);
  });
  if (trouble?.kind === 'failing') {
    const { error, statusCode } = monitor;
    return createFailure(error.code, error.message, { statusCode });
  }
  const chance = noise(`${monitor.name} ${region} ${Math.floor(at / MINUTE)}`);
  const daylight = 1 + 0.3 * Math.sin((2 * Math.PI * (at % DAY_MS)) / DAY_MS - Math.PI / 2);
  const factor = (DISTANCE[region] ?? 1) * daylight * (0.85 + 0.3 * chance + 2 * chance ** 24);
  const ms = Math.max(1, Math.round(monitor.usual * factor));
  return succeeded(monitor, trouble ? 5000 + ms : ms);
}

function succeeded(monitor: DemoMonitor, ms: number): ProbeResult {
  const dns = Math.round(ms * 0.04);
  const responds = CHECK_TYPES[monitor.type].phases.includes('firstByte');
  if (!responds) return createSuccess({ responseTime: ms, phases: { dns, connect: ms - dns } });
  const [connect, firstByte] = [Math.round(ms * 0.12), Math.round(ms * 0.62)];
  const phases = { dns, connect, firstByte, transfer: ms - dns - connect - firstByte };
  return createSuccess({ responseTime: ms, statusCode: 200, phases });
}

/** From 0 to 1, evenly, by FNV-1a and a final mix: the same text gives the same number. */
function noise(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return ((hash ^ (hash >>> 13)) >>> 0) / 2 ** 32;
}
