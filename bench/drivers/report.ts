import type { Lateness } from '../checks/measure-lateness';

/** What a run found. */
export type Figures = {
  monitors: number;
  interval: number;
  seconds: number;
  alone: boolean;
  wipe: boolean;
  lateness: Lateness;
  mostRunsPerMinute: number;
};

const count = (value: number) => value.toLocaleString('en-US', { maximumFractionDigits: 0 });

function tabulate({ lateness, mostRunsPerMinute }: Figures): [string, string, string][] {
  const { p50, p95, p99, max, slots, results, missed, doubled } = lateness;
  const delays = [p50, p95, p99, max].map((value) => `${count(value)} ms`).join(' / ');
  return [
    ['slots of the monitors in the measured time', count(slots), ''],
    ['results stored for them', count(results), ''],
    ['slots without a check', count(missed), '0'],
    ['slots checked twice', count(doubled), '0'],
    ['lateness p50 / p95 / p99 / max', delays, 'p99 below 2 s'],
    ['runs of Inngest a minute, at most', count(mostRunsPerMinute), 'at most 20'],
  ];
}

/** The table for a terminal. */
export function formatTable(figures: Figures): string {
  return tabulate(figures)
    .map(([name, value, limit]) => `  ${name.padEnd(44)}${value.padEnd(40)}${limit}`)
    .join('\n');
}

/** The page of the default size. */
export function formatMarkdown(figures: Figures, measuredAt: Date): string {
  const { monitors, interval, seconds } = figures;
  const rows = tabulate(figures).map(([name, value, limit]) => `| ${name} | ${value} | ${limit} |`);
  return `# Both drivers over one database

\`npm run bench:drivers\`, measured on ${measuredAt.toISOString().slice(0, 10)}: two workers for one region on one PostgreSQL, one under the
embedded driver, the other woken over HTTP by a server that speaks Inngest's protocol (\`inngest/testing/inngest-server.ts\`:
signed calls, registration, events, crons at the full minute; not Inngest itself). ${count(monitors)} http monitors every ${interval} s for ${seconds} s.
For the middle third the server is gone and forgets all it knew; then it is back, and the worker registers again. Slots are
counted from the stored results.

| | measured | held to |
|---|---|---|
${rows.join('\n')}
`;
}
