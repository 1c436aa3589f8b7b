import { groupBy } from '@/lib/core/groups';
import {
  count,
  type Figure,
  figure,
  findExceeded,
  formatLimit,
  markdownTable,
  percentiles,
  today,
} from '../playground';
import type { Sample } from './sample';
import { MINUTE_MS, OUTAGE_SHARE, SAMPLE_MS, type Setting } from './setting';

/** Of the first cycle that counts: what comes later may be so many times that. */
const GROWTH = 1.1;
/** Few things may be one or two more without growing. */
const SLACK = 3;
/** The first cycles, in which pools fill and plans are made. */
const WARM_UP_MINUTES = 20;

const MEASURES: Record<string, (sample: Sample) => number> = {
  'worker, MB': ({ processes }) => processes.worker.megabytes,
  'web, MB': ({ processes }) => processes.web.megabytes,
  'launcher, MB': ({ processes }) => processes.launcher.megabytes,
  'database, MB': ({ processes }) => processes.database.megabytes,
  'worker, handles': ({ processes }) => processes.worker.handles,
  'web, handles': ({ processes }) => processes.web.handles,
  connections: ({ connections }) => connections,
  partitions: ({ partitions }) => partitions,
};

type Judged = { cycles: Sample[][]; figures: Figure[]; broken: string[] };

/** Compares each whole cycle after the warm-up with the first of them, by medians: what happens in a cycle happens in each. What was not measured is broken. */
export function judge(samples: readonly Sample[], { cycle, monitors }: Setting): Judged {
  const whole = groupByCycle(samples, cycle).filter(
    (each) => each.length >= (cycle * MINUTE_MS) / SAMPLE_MS - 1,
  );
  const after = whole.filter(([first]) => (first?.minute ?? 0) >= WARM_UP_MINUTES - 1);
  const growth = Object.entries(MEASURES).map(([name, measure]) => {
    const [first = Number.NaN, ...rest] = after.map((each) => median(each, measure));
    return figure.count(`${name}: the most of a cycle`, most(rest), {
      atMost: Math.round(Math.max(first * GROWTH, first + SLACK)),
    });
  });
  // The first one is calm.
  const outages = whole.slice(1);
  const figures = [
    ...growth,
    figure.count('outages of all targets', outages.length, { atLeast: 1 }),
    figure.count(
      'monitors that were down at once, the least of an outage',
      least(outages.map((each) => most(each.map(({ down }) => down)))),
      { atLeast: monitors },
    ),
    figure.count(
      'webhooks that arrived, the least of a cycle: each goes down and comes up',
      least(outages.map((each) => sum(each, ({ arrived }) => arrived))),
      { atLeast: 2 * monitors },
    ),
    figure.count(
      'webhooks that arrived twice',
      sum(samples, ({ twice }) => twice),
      { atMost: 0 },
    ),
    figure.count(
      'deliveries pending at the end of a cycle, the most',
      most(outages.map((each) => each.at(-1)?.pending ?? 0)),
      { atMost: 0 },
    ),
    figure.count('looks at the page without a 200', samples.filter(({ page }) => page !== '200').length, {
      atMost: 0,
    }),
    figure.count(
      'looks at a health that was not ok',
      samples.filter(({ health }) => health !== 'ok').length,
      { atMost: 0 },
    ),
  ];
  return { cycles: whole, figures, broken: findExceeded(figures) };
}

function groupByCycle(samples: readonly Sample[], cycle: number): Sample[][] {
  return [...groupBy(samples, ({ minute }) => Math.floor(minute / cycle)).values()];
}

function most(values: readonly number[]): number {
  return values.length === 0 ? Number.NaN : Math.max(...values);
}

function least(values: readonly number[]): number {
  return values.length === 0 ? Number.NaN : Math.min(...values);
}

function median(samples: readonly Sample[], measure: (sample: Sample) => number): number {
  return percentiles(samples.map(measure)).p50;
}

function sum(samples: readonly Sample[], measure: (sample: Sample) => number): number {
  return samples.reduce((total, sample) => total + measure(sample), 0);
}

/** A table of figures, and one of medians by cycle. */
export function formatReport(
  { cycles, figures }: Judged,
  samples: readonly Sample[],
  setting: Setting,
): string {
  const { monitors, cycle, interval } = setting;
  const names = Object.keys(MEASURES);
  const rows = cycles.map((each, number) => [
    `${count(number * cycle)}–${count((number + 1) * cycle)}`,
    ...names.map((name) => count(median(each, MEASURES[name] ?? (() => Number.NaN)))),
    count(most(each.map(({ down }) => down))),
    count(sum(each, ({ arrived }) => arrived)),
  ]);
  return `# Soak

\`npm run test:soak\`, measured on ${today()}: ${count(samples.at(-1)?.minute ?? 0)} minutes of real time of a whole installation with ${count(monitors)} monitors every
${interval} s in one region. Every ${cycle} minutes, after the first ${cycle}, all targets fail for ${count(cycle * OUTAGE_SHARE * 60)} s; one receiver hears of each that goes down and comes up. A visitor looks at a status page and at the health every 10 s.
Medians of each cycle; what comes after the first ${WARM_UP_MINUTES} minutes may be at most ${GROWTH} times the first cycle after them, or ${SLACK} more.

${markdownTable(
  ['', 'measured', 'limit'],
  figures.map((each) => [each.name, each.text, formatLimit(each)]),
)}

${markdownTable(['minutes', ...names, 'down at once', 'webhooks'], rows)}
`;
}
