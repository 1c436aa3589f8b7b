import {
  count,
  formatDelays,
  formatPercentiles,
  type Lateness,
  markdownTable,
  type Row,
  today,
} from '../playground';
import { type DeliveryFigures, REJECTIONS } from './deliveries';

/** The results of a run. */
export type Figures = {
  monitors: number;
  interval: number;
  seconds: number;
  alone: boolean;
  wipe: boolean;
  /** The server that wakes one of the workers, or the only one. */
  server: string;
  lateness: Lateness;
  deliveries: DeliveryFigures | null;
  maxRunsPerMinute: number;
};

/** The limits that a run exceeded, as text. */
export function findBrokenLimits({ lateness, deliveries, maxRunsPerMinute, wipe }: Figures): string[] {
  return [
    ...(lateness.doubled > 0 ? [`${lateness.doubled} checks were duplicated`] : []),
    // When the server stops, work waits until its silence is noticed.
    ...(!wipe && lateness.missed > 0 ? [`${lateness.missed} checks were missed`] : []),
    ...(!wipe && lateness.p99 >= 2000 ? [`lateness p99 is ${count(lateness.p99)} ms`] : []),
    ...(maxRunsPerMinute > 20 ? [`${maxRunsPerMinute} runs per minute`] : []),
    ...(deliveries ? brokenByDeliveries(deliveries) : []),
  ];
}

function brokenByDeliveries(figures: DeliveryFigures): string[] {
  const { deliveries, delivered, attempts, lateness, latenessShare } = figures;
  return [
    ...(delivered < deliveries ? [`${deliveries - delivered} deliveries were not delivered`] : []),
    ...(attempts > deliveries * (REJECTIONS + 1)
      ? [`${attempts} attempts for ${deliveries} deliveries`]
      : []),
    ...(lateness.min < 0 ? [`a retry was ${-lateness.min} ms early`] : []),
    ...(latenessShare > 0.05 ? [`a retry was ${percent(latenessShare)} late`] : []),
  ];
}

function tabulate({ lateness, deliveries, maxRunsPerMinute }: Figures): Row[] {
  const { slots, results, missed, doubled } = lateness;
  return [
    ['scheduled checks in the measured period', count(slots), ''],
    ['stored results', count(results), ''],
    ['missed checks', count(missed), '0'],
    ['duplicate checks', count(doubled), '0'],
    ['lateness p50 / p95 / p99 / max', formatPercentiles(lateness), 'p99 below 2 s'],
    ['maximum Inngest runs per minute', count(maxRunsPerMinute), 'at most 20'],
    ...(deliveries ? tabulateDeliveries(deliveries) : []),
  ];
}

function tabulateDeliveries(figures: DeliveryFigures): Row[] {
  const { deliveries, delivered, attempts, lateness, latenessShare } = figures;
  const { min, p50, p99, max } = lateness;
  return [
    ['deliveries, delivered', `${count(deliveries)}, ${count(delivered)}`, 'all'],
    [
      'attempts',
      count(attempts),
      `${count(deliveries * (REJECTIONS + 1))}: ${REJECTIONS} rejected, 1 accepted`,
    ],
    ['lateness of retries min / p50 / p99 / max', formatDelays([min, p50, p99, max]), 'never early'],
    ['maximum lateness relative to the delay', percent(latenessShare), 'at most 5 %'],
  ];
}

const percent = (share: number) => `${(share * 100).toFixed(1)} %`;

/** The page of the figures: drivers.md, or inngest.md for a real server. */
export function formatMarkdown(figures: Figures, command: string): string {
  const { monitors, interval, seconds, alone, wipe, server, deliveries } = figures;
  const workers = alone
    ? `one worker for one region, woken over HTTP by ${server}`
    : `two workers for one region on one PostgreSQL, one under the embedded driver, the other woken over HTTP by ${server}`;
  const wiped = `For the middle third, the server is stopped and loses its data; then it restarts, and the worker registers again. `;
  return `# ${alone ? 'Workers woken by Inngest' : 'Both drivers on one database'}

\`${command}\`, measured on ${today()}:
${workers}.
${count(monitors)} http monitors every ${interval} s for ${seconds} s. ${wipe ? wiped : ''}Checks are counted from stored results.${
    deliveries ? ` Each delivery is rejected ${REJECTIONS} times and then accepted.` : ''
  }

${markdownTable(['', 'measured', 'limit'], tabulate(figures))}
`;
}
