import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Figures, Percentiles } from './figures';

const count = (value: number) => value.toLocaleString('en-US', { maximumFractionDigits: 0 });
const cpu = (value: number) => `${value.toFixed(2)} ms`;

/** The figures as rows: what, measured, what it is held to. */
function tabulate(figures: Figures): [string, string, string][] {
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
  const rows = tabulate(figures).map(
    ([name, value, limit]) => `  ${name.padEnd(50)}${value.padEnd(40)}${limit}`,
  );
  const others = compare(figures).map(
    ([name = '', perSecond, cpuMs]) => `  ${name.padEnd(52)}${perSecond}/s, ${cpuMs}`,
  );
  return [...rows, '', ...others].join('\n');
}

/** Writes webhooks.json and webhooks.md. */
export async function writeReport(directory: string, figures: Figures, measuredAt: Date): Promise<void> {
  await mkdir(directory, { recursive: true });
  const day = measuredAt.toISOString().slice(0, 10);
  const json = JSON.stringify({ measuredAt: day, ...figures }, null, 2);
  await writeFile(join(directory, 'webhooks.json'), `${json}\n`);
  await writeFile(join(directory, 'webhooks.md'), formatMarkdown(figures, day));
}

function formatMarkdown(figures: Figures, day: string): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return `# Webhooks

\`node bench/run.mjs webhooks\`, measured on ${day}: one embedded PostgreSQL with its default, durable settings, one worker,
and ${count(figures.monitors)} monitors of a target that fails all their checks at once. Each tells monitor.down and incident.created to three
endpoints, each a process of its own: two answer 200, the third takes the request and never answers. Time is from the
\`timestamp\` of the event to the arrival at an endpoint that answers. CPU is all that the worker and PostgreSQL used from the
failure of the target to the last recorded delivery, the checks' results and their incidents included, for each delivery
that arrived. The machine, two cores for all of these processes, was not idle otherwise: compare ratios and CPU, not the clock.

| | measured | held to |
|---|---|---|
${tabulate(figures).map(line).join('\n')}

The same bodies to the same two receivers, five at once to each, in the same run:

| | deliveries per second | CPU per delivery | times slower than the first reference |
|---|---|---|---|
${compare(figures).map(line).join('\n')}
`;
}
