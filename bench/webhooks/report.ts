import { DELIVERY_LIMITS } from '@/lib/engine/deliveries/endpoint-slots';
import { count, findExceeded, formatPercentiles, markdownTable, type Row, today } from '../playground';
import type { Measured } from './measure';

/** One way to post the bodies: deliveries per second, and CPU milliseconds for each. */
export type Rate = { perSecond: number; cpuMs: number };

/** The results of a run. */
export type Figures = Measured & { reference: { kept: Rate; fresh: Rate } };

const { most: MAX_PER_ENDPOINT } = DELIVERY_LIMITS.perEndpoint;

/** The limits of the engine that a run exceeded, as text. */
export function findBrokenLimits(figures: Figures): string[] {
  const { arrival, sinceFailure, arrived, hanging, simultaneousAttempts, connections } = figures;
  const { active, pool } = connections;
  return [
    ...findExceeded([
      { name: 'arrival p95 (ms)', value: arrival.p95, atMost: 9999 },
      { name: 'arrival p95 since the failure (ms)', value: sinceFailure.p95, atMost: 9999 },
      { name: 'lost deliveries', value: arrived.lost + hanging.lost, atMost: 0 },
      { name: 'arrived but not recorded', value: arrived.unrecorded, atMost: 0 },
      { name: 'simultaneous attempts per endpoint', value: simultaneousAttempts, atMost: MAX_PER_ENDPOINT },
    ]),
    ...(active < pool ? [] : [`all ${pool} connections of the pool were in use`]),
  ];
}

const cpu = (value: number) => `${value.toFixed(2)} ms`;

/** The figures as rows: name, measured, limit. */
function tabulate(figures: Figures): Row[] {
  const { arrival, sinceFailure, arrived, hanging, rate, connections, deliveriesPerEndpoint } = figures;
  return [
    ['status changes recorded within', `${count(figures.changesWithin)} ms`, ''],
    ['status change to arrival, p50 / p95 / p99 / max', formatPercentiles(arrival), 'p95 below 10 s'],
    ['failure of the target to arrival', formatPercentiles(sinceFailure), 'p95 below 10 s'],
    [
      'arrived at the responding endpoints, lost',
      `${count(arrived.deliveries)} of ${count(2 * deliveriesPerEndpoint)}, ${arrived.lost}`,
      'none lost',
    ],
    ['arrived twice, by delivery ID', count(arrived.duplicates), ''],
    ['arrived but not recorded', count(arrived.unrecorded), 'none'],
    ['pending for the hanging endpoint, lost', `${count(hanging.waiting)}, ${hanging.lost}`, 'none lost'],
    [
      'maximum simultaneous attempts per endpoint',
      count(figures.simultaneousAttempts),
      `at most ${MAX_PER_ENDPOINT}`,
    ],
    ['deliveries per second', count(rate.perSecond), ''],
    ['CPU per delivery, worker', cpu(rate.cpuMs), ''],
    ['CPU per delivery, PostgreSQL', cpu(rate.postgresCpuMs), ''],
    [
      'connections of the worker: open, active',
      `${connections.open}, ${connections.active}`,
      `fewer than DATABASE_POOL (${connections.pool}) active`,
    ],
  ];
}

/** A table of all ways to post the bodies. */
function compare({ rate, reference }: Figures): string {
  const ways = [
    ['**Pharos**, recorded before and after each attempt', rate],
    ['node:http, reused connections, nothing recorded', reference.kept],
    ['node:http, new connections, nothing recorded', reference.fresh],
  ] as const;
  const rows = ways.map(([name, { perSecond, cpuMs }]) => {
    return [name, count(perSecond), cpu(cpuMs), (reference.kept.perSecond / perSecond).toFixed(1)];
  });
  const slower = 'times slower than the first reference';
  return markdownTable(['', 'deliveries per second', 'CPU per delivery', slower], rows);
}

/** webhooks.md. */
export function formatMarkdown(figures: Figures): string {
  return `# Webhooks

\`node bench/run.mjs webhooks\`, measured on ${today()}: one embedded PostgreSQL with its default, durable settings, one worker,
and ${count(figures.monitors)} monitors of a target that fails all their checks at once. Each sends monitor.down and incident.created to three
endpoints, each a separate process: two respond 200, the third accepts the request and never responds. Time is from the
\`timestamp\` of the event to its arrival at a responding endpoint. CPU is everything that the worker and PostgreSQL used from the
failure of the target to the last recorded delivery, including check results and incidents, per delivery
that arrived. The machine has two cores for all of these processes and was not idle: compare ratios and CPU, not times.

${markdownTable(['', 'measured', 'limit'], tabulate(figures))}

The same bodies to the same two receivers, five at a time to each, in the same run:

${compare(figures)}
`;
}
