import { count, formatRows, type Lateness, markdownRow, type Row } from '../playground';
import { type DeliveryFigures, REFUSALS } from './deliveries';

/** What a run found. */
export type Figures = {
  monitors: number;
  interval: number;
  seconds: number;
  alone: boolean;
  wipe: boolean;
  /** What wakes one of the workers, or the only one. */
  server: string;
  lateness: Lateness;
  deliveries: DeliveryFigures | null;
  mostRunsPerMinute: number;
};

/** The limits that did not hold, in words. */
export function findBrokenLimits({ lateness, deliveries, mostRunsPerMinute, wipe }: Figures): string[] {
  return [
    ...(lateness.doubled > 0 ? [`${lateness.doubled} slots were checked twice`] : []),
    // When the server goes, what it would have woken waits until its silence is noticed.
    ...(!wipe && lateness.missed > 0 ? [`${lateness.missed} slots were not checked`] : []),
    ...(!wipe && lateness.p99 >= 2000 ? [`lateness p99 is ${count(lateness.p99)} ms`] : []),
    ...(mostRunsPerMinute > 20 ? [`${mostRunsPerMinute} runs a minute`] : []),
    ...(deliveries ? brokenByDeliveries(deliveries) : []),
  ];
}

function brokenByDeliveries({
  deliveries,
  delivered,
  tries,
  lateness,
  latenessShare,
}: DeliveryFigures): string[] {
  return [
    ...(delivered < deliveries ? [`${deliveries - delivered} deliveries were not delivered`] : []),
    ...(tries > deliveries * (REFUSALS + 1) ? [`${tries} tries for ${deliveries} deliveries`] : []),
    ...(lateness.min < 0 ? [`a retry came ${-lateness.min} ms early`] : []),
    ...(latenessShare > 0.05 ? [`a retry came ${percent(latenessShare)} late`] : []),
  ];
}

function tabulate({ lateness, deliveries, mostRunsPerMinute }: Figures): Row[] {
  const { p50, p95, p99, max, slots, results, missed, doubled } = lateness;
  const delays = [p50, p95, p99, max].map((value) => `${count(value)} ms`).join(' / ');
  return [
    ['slots of the monitors in the measured time', count(slots), ''],
    ['results stored for them', count(results), ''],
    ['slots without a check', count(missed), '0'],
    ['slots checked twice', count(doubled), '0'],
    ['lateness p50 / p95 / p99 / max', delays, 'p99 below 2 s'],
    ['runs of Inngest a minute, at most', count(mostRunsPerMinute), 'at most 20'],
    ...(deliveries ? tabulateDeliveries(deliveries) : []),
  ];
}

function tabulateDeliveries(figures: DeliveryFigures): Row[] {
  const { deliveries, delivered, tries, lateness, latenessShare } = figures;
  const { min, p50, p99, max } = lateness;
  return [
    ['deliveries, and delivered', `${count(deliveries)}, ${count(delivered)}`, 'all'],
    ['tries', count(tries), `${count(deliveries * (REFUSALS + 1))}: ${REFUSALS} refused, one taken`],
    [
      'lateness of retries min / p50 / p99 / max',
      [min, p50, p99, max].map((ms) => `${count(ms)} ms`).join(' / '),
      'never early',
    ],
    ['lateness as a share of the wait, at most', percent(latenessShare), 'at most 5 %'],
  ];
}

const percent = (share: number) => `${(share * 100).toFixed(1)} %`;

/** The table for a terminal. */
export function formatTable(figures: Figures): string {
  return formatRows(tabulate(figures));
}

/** The page of the figures: drivers.md, or inngest.md for a real server. */
export function formatMarkdown(figures: Figures, { at, command }: { at: Date; command: string }): string {
  const { monitors, interval, seconds, alone, wipe, server, deliveries } = figures;
  const rows = tabulate(figures).map(markdownRow);
  const workers = alone
    ? `one worker for one region, woken over HTTP by ${server}`
    : `two workers for one region on one PostgreSQL, one under the embedded driver, the other woken over HTTP by ${server}`;
  const wiped = `For the middle third the server is gone and forgets all it knew; then it is back, and the worker registers again. `;
  return `# ${alone ? 'Woken by Inngest' : 'Both drivers over one database'}

\`${command}\`, measured on ${at.toISOString().slice(0, 10)}:
${workers}.
${count(monitors)} http monitors every ${interval} s for ${seconds} s. ${wipe ? wiped : ''}Slots are counted from the stored results.${
    deliveries ? ` Each delivery is refused ${REFUSALS} times and then taken.` : ''
  }

| | measured | held to |
|---|---|---|
${rows.join('\n')}
`;
}
