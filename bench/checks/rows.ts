import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { count, type Figure, figure, root } from '../playground';
import { measureAlerts, measureChanges } from './changes';
import { measureFlood } from './flood';
import { measureBlackbox } from './floor';
import { measureAnnouncements, measureBirths, measureHalf, measureOutage, measureRecovery } from './outages';
import type { Durations } from './phase';
import { measureQuotas } from './quotas';
import { measureSaturation } from './saturation';
import { measureSteady, type SteadyLimits } from './steady';
import { measureTakeover } from './takeover';
import type { Setting, World } from './world';

/** One row of the report. Those with the same setting run in one world, in this order. */
export type Row = {
  name: string;
  /** Steady rows have the same figures, and become columns of one table. */
  isSteady: boolean;
  setting: Setting;
  run(world: World, durations: Durations): Promise<Figure[]>;
};

/** The fewest seconds between checks that the API accepts. */
const SHORTEST_INTERVAL = 30;
/** Shorter than the API accepts, since a row first waits for the first check of every monitor. */
const BRIEF_INTERVAL = 15;
/** Fewer seconds than by default, since a row waits for its hanging checks. */
const TIMEOUT = 5;
const SMALL_SHARE = 50;
const IDLE_SECONDS = 10;
/** A saturated worker is offered thousands of checks a second with fewer monitors: intervals that the API rejects. */
const SATURATION_INTERVAL_SHARE = 0.4;
const MAX_LEVEL_SECONDS = 10;

/** All rows of a size. Those of other settings check as often per second, with fewer monitors. */
export function createRows({ monitors, interval }: { monitors: number; interval: number }): Row[] {
  const brief = Math.min(interval, BRIEF_INTERVAL);
  const plain = http({ monitors, interval, timeout: 30 });
  const other = { monitors: Math.max(1, Math.round((monitors * brief) / interval)), interval: brief };
  const small = Math.max(1, Math.round(monitors / SMALL_SHARE));
  const saturated = Math.max(2, Math.round(interval * SATURATION_INTERVAL_SHARE));
  return [
    steady('small', {
      ...http({ monitors: small, interval: Math.min(interval, SHORTEST_INTERVAL) }),
      idleSeconds: IDLE_SECONDS,
    }),
    {
      ...steady('plain', plain, PLAIN_LIMITS),
      run: async (world, durations) => {
        const figures = await measureSteady(world, { ...durations, limits: PLAIN_LIMITS });
        const blackbox = await measureBlackbox(world, durations.floorSeconds);
        return blackbox === null ? figures : [...figures, figure.cpu('blackbox_exporter', blackbox)];
      },
    },
    { name: 'change', isSteady: false, setting: plain, run: measureChanges },
    { name: 'alert', isSteady: false, setting: plain, run: measureAlerts },
    { name: 'takeover', isSteady: false, setting: plain, run: measureTakeover },
    steady('names', {
      ...http({ ...other, what: 'with names' }),
      urlOf: (number, port) => `http://service-${number}.bench.test:${port}/service/${number}`,
      environment: (dnsServer) => ({
        TARGET_POLICY: 'public',
        ALLOWED_PRIVATE_CIDRS: '127.0.0.0/8',
        NODE_OPTIONS: `--import=${namesModule}?server=${dnsServer}`,
      }),
    }),
    steady('tls', {
      ...http({ ...other, what: 'with TLS' }),
      server: 'https',
      urlOf: (number, port) => `https://127.0.0.1:${port}/service/${number}`,
      environment: () => ({ NODE_EXTRA_CA_CERTS: join(root, 'lib/platform/net/testing/ca.pem') }),
    }),
    steady('redirects', {
      ...http({ ...other, what: 'with a redirect' }),
      urlOf: (number, port) => `http://127.0.0.1:${port}/moved/service/${number}`,
    }),
    steady('tcp', {
      ...http({ ...other, hangingEvery: 0 }),
      type: 'tcp',
      server: 'tcp',
      what: describeSize('tcp', other),
      urlOf: (_number, port) => `127.0.0.1:${port}`,
    }),
    steady('dns', {
      ...http({ ...other, hangingEvery: 0 }),
      type: 'dns',
      what: describeSize('dns', other),
      urlOf: (number) => `service-${number}.bench.test`,
    }),
    ...outages('', { ...http({ monitors, interval, hangingEvery: 0 }), alertThreshold: 2 }),
    ...outages('-3', {
      ...http({
        monitors: Math.max(1, Math.round(monitors / 3)),
        interval,
        hangingEvery: 0,
        what: 'from 3 regions',
      }),
      alertThreshold: 2,
      regions: 3,
    }),
    {
      name: 'flood',
      isSteady: false,
      setting: http({ monitors: small, interval: brief, hangingEvery: 0 }),
      run: measureFlood,
    },
    {
      name: 'quotas',
      isSteady: false,
      // Three times as many checks per second, which take about half a core.
      setting: http({ ...other, interval: Math.max(1, Math.round(brief / 3)), hangingEvery: 0 }),
      run: measureQuotas,
    },
    {
      name: 'saturation',
      isSteady: false,
      setting: {
        ...http({ monitors, interval: saturated, timeout: 2 }),
        environment: () => ({ CHECK_CONCURRENCY: '2000' }),
      },
      run: (world, { seconds }) => measureSaturation(world, Math.min(seconds, MAX_LEVEL_SECONDS)),
    },
  ];
}

/** What the engine is held to at 833 checks per second. */
const PLAIN_LIMITS: SteadyLimits = {
  worker: 1.8,
  postgres: 0.2,
  lateness: 100,
  wal: 300,
  stored: 120,
  resident: 300,
};

const namesModule = pathToFileURL(join(root, 'bench', 'checks', 'scripts', 'names.mjs'));

function steady(name: string, setting: Setting, limits?: SteadyLimits): Row {
  const run: Row['run'] = (world, durations) => measureSteady(world, { ...durations, limits });
  return { name, isSteady: true, setting, run };
}

/** What everybody has monitors for: most of them fail at once. */
function outages(suffix: string, setting: Setting): Row[] {
  const measures = {
    birth: measureBirths,
    outage: measureOutage,
    recovery: measureRecovery,
    half: measureHalf,
    announcements: measureAnnouncements,
  };
  return Object.entries(measures).map(([name, run]) => ({
    name: name + suffix,
    isSteady: false,
    setting,
    run,
  }));
}

type Size = { monitors: number; interval: number; timeout?: number; hangingEvery?: number; what?: string };

function http({ timeout = TIMEOUT, hangingEvery = 100, what = '', ...size }: Size): Setting {
  const hanging = hangingEvery > 0 ? [`${100 / hangingEvery} % hanging for ${timeout} s`] : [];
  return {
    ...size,
    what: [`${describeSize('http', size)}${what && ` ${what}`}`, ...hanging].join(', '),
    type: 'http',
    server: 'http',
    timeout,
    hangingEvery,
    urlOf: (number, port) => `http://127.0.0.1:${port}/service/${number}`,
  };
}

function describeSize(type: string, { monitors, interval }: Size): string {
  return `${count(monitors)} ${type} monitors every ${interval} s`;
}
