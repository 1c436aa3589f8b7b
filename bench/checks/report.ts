import { type Figure, figure, formatLimit, markdownTable, today } from '../playground';
import { NET_OF_IDLE } from './steady';

/** What a row measured; `error` is why it did not finish. */
export type Result = { name: string; isSteady: boolean; what: string; figures: Figure[]; error?: string };

/** A check costs as much with fifty times as many monitors. */
const MAX_SCALE = 1.2;

/** The results with what follows from several of them: the cost of a check with many monitors and with few. */
export function compareSizes(results: Result[]): Result[] {
  const find = (row: string, name: string) =>
    results.find((result) => result.name === row)?.figures.find((one) => one.name === name)?.value;
  const small = find('small', NET_OF_IDLE);
  const idle = find('small', 'idle worker, CPU ms per second');
  const worker = find('plain', 'worker');
  const perSecond = find('plain', 'checks per second');
  if (small === undefined || idle === undefined || worker === undefined || !perSecond) return results;
  const net = worker - idle / perSecond;
  const scale = figure.ratio('worker, plain ÷ small, net of idle', net / small, { atMost: MAX_SCALE });
  return [...results, { name: 'scale', isSteady: false, what: 'plain and small compared', figures: [scale] }];
}

/** Others, measured once on a similar machine: CPU per check of the program and its database, and bytes. */
const PEERS = [
  ['Gatus, results in memory only', '0.18 ms', 'none', 'none'],
  ['Gatus with PostgreSQL', '0.92 ms', '1.6 ms', 'not measured'],
  ['Uptime Kuma (SQLite, in its process)', '3.1–4.8 ms', 'included', '193'],
  ['blackbox_exporter', '0.52 ms', 'none', 'none'],
];

/** checks.md. */
export function formatMarkdown(results: Result[], seconds: number): string {
  return `# Checks

\`npm run bench:checks\`, measured on ${today()}: each row is a worker for one region with an embedded PostgreSQL of its own, with its
default, durable settings. Once every monitor is routine, ${seconds} s are measured. The machine was not idle: compare ratios
and CPU, not times.

- **floor**: what Node.js itself needs for the same checks: a bare request, connection or datagram each, over a connection of its own
  and with one timer, from another process at the same rate, directly before and after.
- CPU is in milliseconds per check. **lateness**: from the schedule of a monitor to the start of its check.
- **skipped**: slots without a result.

${results.map(({ name, what }) => `- \`${name}\`: ${what}`).join('\n')}

${tabulateSteady(results.filter(({ isSteady }) => isSteady))}

${tabulateOthers(results.filter(({ isSteady }) => !isSteady))}

Others on a similar machine, CPU per check:

${markdownTable(['', 'program', 'database', 'bytes per check'], PEERS)}

blackbox_exporter stores and decides nothing. Gatus with PostgreSQL was saturated at 592 checks per second, Uptime
Kuma at 290.
`;
}

/** A line per figure and a column per row. */
function tabulateSteady(results: Result[]): string {
  if (results.length === 0) return '';
  const names = new Set(results.flatMap(({ figures }) => figures.map(({ name }) => name)));
  const lines = [...names].map((name) => [
    name,
    ...results.map(({ figures }) => {
      const found = figures.find((one) => one.name === name);
      return found === undefined ? '' : `${found.text}${formatLimit(found, ' (', ')')}`;
    }),
  ]);
  return markdownTable(['', ...results.map(({ name }) => name)], lines);
}

function tabulateOthers(results: Result[]): string {
  const lines = results.flatMap(({ name, figures }) =>
    figures.map((one) => [name, one.name, one.text, formatLimit(one)]),
  );
  return lines.length === 0 ? '' : markdownTable(['', 'figure', 'measured', 'limit'], lines);
}
