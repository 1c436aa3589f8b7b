import { count, findExceeded, formatPercentiles, markdownTable, type Row, today } from '../playground';
import type { Figures } from './measure';

/** The limits of the engine that a run exceeded, as text. */
export function findBrokenLimits({ lateness, worker, storage }: Figures): string[] {
  return findExceeded([
    { name: 'lateness p99 (ms)', value: lateness.p99, atMost: 2000 },
    { name: 'resident memory (MB)', value: worker.residentAtMost / 1e6, atMost: 400 },
    { name: 'bytes per check', value: storage.bytesPerRow, atMost: 120 },
  ]);
}

const ms = (value: number) => `${value.toFixed(2)} ms`;

/** The figures as rows: name, measured, limit. */
function tabulate(figures: Figures): Row[] {
  const { lateness, cpu, worker, storage } = figures;
  return [
    ['checks in the measured period', count(figures.checks), ''],
    ['lateness p50 / p95 / p99 / max', formatPercentiles(lateness), 'p99 at most 2 s'],
    [
      'slots, missed, checked twice',
      [lateness.slots, lateness.missed, lateness.doubled].map(count).join(', '),
      '',
    ],
    ['CPU per check, worker', ms(cpu.workerPerCheck), ''],
    ['CPU per check, PostgreSQL', ms(cpu.postgresPerCheck), ''],
    ['maximum resident memory of the worker', `${count(worker.residentAtMost / 1e6)} MB`, 'at most 400 MB'],
    ['stored rows per check', (lateness.results / Math.max(1, lateness.slots)).toFixed(2), ''],
    [
      'bytes per check: table + index',
      `${storage.heapPerRow.toFixed(1)} + ${storage.indexPerRow.toFixed(1)} = ${storage.bytesPerRow.toFixed(1)}`,
      'at most 120',
    ],
    ['write-ahead log per check', `${count(figures.walPerCheck)} bytes`, ''],
    ['transactions per second', figures.commitsPerSecond.toFixed(1), ''],
    ...figures.updates.map(
      ({ table, updates, hot }): Row => [
        `updates of ${table} per check`,
        `${(updates / figures.checks).toFixed(2)}, ${((100 * hot) / Math.max(1, updates)).toFixed(0)} % HOT`,
        '',
      ],
    ),
  ];
}

/** Others, measured once on a similar machine: CPU per check of the program and its database, and bytes. */
const PEERS = [
  ['Gatus, results in memory only', '0.18 ms', 'none', 'none'],
  ['Gatus with PostgreSQL', '0.92 ms', '1.6 ms', 'not measured'],
  ['Uptime Kuma (SQLite, in its process)', '3.1–4.8 ms', 'included', '193'],
  ['blackbox_exporter', '0.52 ms', 'none', 'none'],
];

/** checks.md. */
export function formatMarkdown(figures: Figures): string {
  const { monitors, interval, seconds, hanging, cpu, storage } = figures;
  const own = [
    '**Pharos**',
    ms(cpu.workerPerCheck),
    ms(cpu.postgresPerCheck),
    storage.bytesPerRow.toFixed(0),
  ];
  return `# Checks

\`node bench/run.mjs checks\`, measured on ${today()}: one embedded PostgreSQL with its default, durable settings, one worker
for one region, ${count(monitors)} http monitors every ${interval} s against a server on the same machine, of which ${count(hanging)}
hang until their timeout of 30 s. After a warm-up of ${interval} s, which starts with everything an hour overdue,
${seconds} s are measured. Lateness is the time from the schedule of a monitor to the start of its check, from
stored results. The machine was not idle: compare ratios and CPU, not times.

${markdownTable(['', 'measured', 'limit'], tabulate(figures))}

Others on a similar machine, CPU per check:

${markdownTable(['', 'program', 'database', 'bytes per check'], [own, ...PEERS])}

blackbox_exporter stores and decides nothing. Gatus with PostgreSQL was saturated at 592 checks per second, Uptime
Kuma at 290.
`;
}
