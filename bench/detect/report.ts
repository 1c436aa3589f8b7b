import { count, findExceeded, type Limit, markdownTable, today } from '../playground';
import type { Day } from './false-alarms';
import type { Delays } from './outages';

/** The results of a run. */
export type Figures = { outages: number; delays: Delays[]; noise: NoisyDay[]; monitors: number };

/** Simulated days of one kind of failures, without and with confirmation. */
export type NoisyDay = { name: string; without: Day; confirmed: Day };

/** Seconds with confirmation: the median, and the worst. */
const LIMITS = { median: 55, worst: 85 };

const median = (sorted: readonly number[]) =>
  (sorted[Math.floor((sorted.length - 1) / 2)] ?? Number.NaN) / 1000;
const worst = (sorted: readonly number[]) => (sorted.at(-1) ?? Number.NaN) / 1000;

/** The limits that a run exceeded, as text. */
export function findBrokenLimits({ delays }: Figures): string[] {
  const confirmed = delays.filter(({ setting }) => setting.confirmInterval !== null);
  const limits = confirmed.flatMap(({ setting, down, up }): Limit[] => [
    { name: `${setting.name}: median to monitor.down`, value: median(down), atMost: LIMITS.median },
    { name: `${setting.name}: worst to monitor.down`, value: worst(down), atMost: LIMITS.worst },
    { name: `${setting.name}: median to monitor.up`, value: median(up), atMost: LIMITS.median },
    { name: `${setting.name}: worst to monitor.up`, value: worst(up), atMost: LIMITS.worst },
  ]);
  return findExceeded(limits);
}

/** The page of the figures. */
export function formatMarkdown({ outages, delays, noise, monitors }: Figures, command: string): string {
  const seconds = (value: number) => `${value.toFixed(1)} s`;
  const times = delays.map(({ setting, down, up }) => [
    setting.name,
    `${seconds(median(down))} / ${seconds(worst(down))}`,
    `${seconds(median(up))} / ${seconds(worst(up))}`,
    setting.confirmInterval === null ? '' : `${LIMITS.median} s / ${LIMITS.worst} s`,
  ]);
  const days = noise.map(({ name, without, confirmed }) => [
    name,
    count(without.alerts),
    count(confirmed.alerts),
    `${count(confirmed.offGrid)} of ${count(confirmed.checks)}`,
  ]);
  return `# From an outage to the webhook

\`${command}\`, measured on ${today()}.

## Times

A real worker checks ${outages} monitors of each kind every 60 s; a target that died refuses connections. Each target dies at a random moment of its
interval, and responds again at a random moment after that was announced. Measured is from then until a webhook receiver on the
same machine has \`monitor.down\` or \`monitor.up\`. Alerts after 3 failures, recovers after 3 successes; confirmation every 10 s. Median / worst:

${markdownTable(['', 'monitor.down', 'monitor.up', 'limit'], times)}

## False alarms

24 simulated hours of ${count(monitors)} monitors, through the state machine alone. All of these failures are noise: the target works.

${markdownTable(['failures', 'alerts without', 'alerts with', 'checks off the grid'], days)}

Where failures are independent, three in a row are one in a million, ten seconds apart or a minute apart. But confirmation alerts about
whatever lasts longer than 20 s, which checks once a minute do not notice. A higher \`alertThreshold\` waits longer.
`;
}
