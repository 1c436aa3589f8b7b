import { count, formatRows, markdownRow, type Percentiles, type Row } from '../playground';

/** One way to post the bodies: deliveries a second, and CPU milliseconds for each. */
export type Rate = { perSecond: number; cpuMs: number };

/** What a run found. Times in milliseconds where the name does not say otherwise. */
export type Figures = {
  monitors: number;
  /** The target fails all checks in one moment: from the first status change to the last, by the timestamps of their events. */
  changesWithin: number;
  /** What each endpoint is owed. */
  deliveriesPerEndpoint: number;
  /** From the timestamp of the event to the arrival at an endpoint that answers. */
  arrival: Percentiles;
  /** From the failure of the target: with all that comes before the status change. */
  sinceFailure: Percentiles;
  /** At the endpoints that answer. */
  arrived: { deliveries: number; lost: number; duplicates: number; unrecorded: number };
  /** At the endpoint that hangs. */
  hanging: { waiting: number; lost: number };
  /** At one endpoint, at most. */
  triesAtOnce: number;
  rate: Rate & { postgresCpuMs: number };
  connections: { pool: number; open: number; active: number };
  reference: { kept: Rate; fresh: Rate };
};

/** What the engine is held to. */
const LIMITS: { name: string; value(figures: Figures): number; atMost: number }[] = [
  { name: 'arrival p95 (ms)', value: ({ arrival }) => arrival.p95, atMost: 9999 },
  { name: 'arrival p95 since the failure (ms)', value: ({ sinceFailure }) => sinceFailure.p95, atMost: 9999 },
  { name: 'lost deliveries', value: ({ arrived, hanging }) => arrived.lost + hanging.lost, atMost: 0 },
  { name: 'arrived and not recorded', value: ({ arrived }) => arrived.unrecorded, atMost: 0 },
  { name: 'tries at once at one endpoint', value: ({ triesAtOnce }) => triesAtOnce, atMost: 5 },
];

/** The limits that a run broke, in words; none when it kept them. */
export function findBrokenLimits(figures: Figures): string[] {
  const { active, pool } = figures.connections;
  const broken = LIMITS.filter(({ value, atMost }) => !(value(figures) <= atMost)).map(
    ({ name, value, atMost }) => `${name}: ${value(figures).toFixed(0)}; the limit is ${atMost}`,
  );
  return active < pool ? broken : [...broken, `all ${pool} connections of the pool were in use`];
}

const cpu = (value: number) => `${value.toFixed(2)} ms`;

/** The figures as rows: what, measured, what it is held to. */
function tabulate(figures: Figures): Row[] {
  const { arrival, sinceFailure, arrived, hanging, rate, connections, deliveriesPerEndpoint } = figures;
  const spread = ({ p50, p95, p99, max }: Percentiles) =>
    [p50, p95, p99, max].map((value) => `${count(value)} ms`).join(' / ');
  return [
    ['status changes recorded within', `${count(figures.changesWithin)} ms`, ''],
    ['status change to arrival, p50 / p95 / p99 / max', spread(arrival), 'p95 below 10 s'],
    ['failure of the target to arrival', spread(sinceFailure), 'p95 below 10 s'],
    [
      'arrived at the two that answer, lost',
      `${count(arrived.deliveries)} of ${count(2 * deliveriesPerEndpoint)}, ${arrived.lost}`,
      'none lost',
    ],
    ['arrived twice, by delivery id', count(arrived.duplicates), ''],
    ['arrived and not recorded', count(arrived.unrecorded), 'none'],
    ['waiting for the one that hangs, lost', `${count(hanging.waiting)}, ${hanging.lost}`, 'none lost'],
    ['tries at once at one endpoint, at most', count(figures.triesAtOnce), 'at most 5'],
    ['deliveries per second', count(rate.perSecond), ''],
    ['CPU per delivery, worker', cpu(rate.cpuMs), ''],
    ['CPU per delivery, PostgreSQL', cpu(rate.postgresCpuMs), ''],
    [
      'connections of the worker: open, at work at once',
      `${connections.open}, ${connections.active}`,
      `fewer than DATABASE_POOL (${connections.pool}) at work`,
    ],
  ];
}

function compare({ rate, reference }: Figures): string[][] {
  const rows = [
    ['**Pharos**, recorded before and after each try', rate],
    ['node:http, connections kept, nothing recorded', reference.kept],
    ['node:http, a connection for each, nothing recorded', reference.fresh],
  ] as const;
  return rows.map(([name, { perSecond, cpuMs }]) => [
    name,
    count(perSecond),
    cpu(cpuMs),
    `${(reference.kept.perSecond / perSecond).toFixed(1)}`,
  ]);
}

/** The tables for a terminal. */
export function formatTable(figures: Figures): string {
  const others = compare(figures).map(
    ([name = '', perSecond, cpuMs]): Row => [name, `${perSecond}/s, ${cpuMs}`, ''],
  );
  return `${formatRows(tabulate(figures))}\n\n${formatRows(others)}`;
}

/** webhooks.md. */
export function formatMarkdown(figures: Figures, at: Date): string {
  return `# Webhooks

\`node bench/run.mjs webhooks\`, measured on ${at.toISOString().slice(0, 10)}: one embedded PostgreSQL with its default, durable settings, one worker,
and ${count(figures.monitors)} monitors of a target that fails all their checks at once. Each tells monitor.down and incident.created to three
endpoints, each a process of its own: two answer 200, the third takes the request and never answers. Time is from the
\`timestamp\` of the event to the arrival at an endpoint that answers. CPU is all that the worker and PostgreSQL used from the
failure of the target to the last recorded delivery, the checks' results and their incidents included, for each delivery
that arrived. The machine, two cores for all of these processes, was not idle otherwise: compare ratios and CPU, not the clock.

| | measured | held to |
|---|---|---|
${tabulate(figures).map(markdownRow).join('\n')}

The same bodies to the same two receivers, five at once to each, in the same run:

| | deliveries per second | CPU per delivery | times slower than the first reference |
|---|---|---|---|
${compare(figures).map(markdownRow).join('\n')}
`;
}
