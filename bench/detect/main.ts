import { BUILT_IN_REGION_IDS } from '@/lib/schemas/regions';
import type { StateConfig } from '@/lib/state/types';
import { chooseOutput, conclude, log, readCount, readOptions, startProcess } from '../playground';
import { addOrganization, openBench, REGION } from '../seed';
import { type Noise, simulateDay } from './false-alarms';
import { INTERVAL_MS, measureOutages, type Setting } from './outages';
import { type Figures, findBrokenLimits, formatMarkdown, type NoisyDay } from './report';

const USAGE = `usage: node bench/run.mjs detect [options]
  --outages N   outages of each kind (200)
  --monitors N  monitors simulated for a day (200)
  --seed N      draws the moments of outages and failures (1)
  --out DIR     output directory (default: docs/benchmarks, only without options)
`;

const REGIONS = [REGION, ...BUILT_IN_REGION_IDS.filter((id) => id !== REGION)].slice(0, 3);
const CONFIRM_SECONDS = 10;

const SETTINGS: Setting[] = [
  { name: 'one region, without confirmation', confirmInterval: null, regions: 1 },
  { name: 'one region, with confirmation', confirmInterval: CONFIRM_SECONDS, regions: 1 },
  { name: 'three regions, with confirmation', confirmInterval: CONFIRM_SECONDS, regions: 3 },
];

const NOISE: { name: string; noise: Noise; regions: number }[] = [
  { name: '1 % of checks', noise: { probability: 0.01, lastMs: 0 }, regions: 1 },
  { name: '1 % of checks, of each of three regions', noise: { probability: 0.01, lastMs: 0 }, regions: 3 },
  {
    name: '1 % of checks, and what begins within 15 s',
    noise: { probability: 0.01, lastMs: 15_000 },
    regions: 1,
  },
  {
    name: '1 % of checks, and what begins within 30 s',
    noise: { probability: 0.01, lastMs: 30_000 },
    regions: 1,
  },
];

/** Runs the benchmark; returns the exit code: 1 if a limit is exceeded. */
export async function main(words: string[]): Promise<number> {
  const text = { type: 'string' } as const;
  const given = readOptions(words, USAGE, { outages: text, monitors: text, seed: text, out: text });
  const outages = readCount('outages', given.outages ?? 200);
  const monitors = readCount('monitors', given.monitors ?? 200);
  const seed = readCount('seed', given.seed ?? 1);
  const settings = { PROBE_REGIONS: REGIONS.join(','), TARGET_POLICY: 'private', LOG_LEVEL: 'error' };
  const { services, environment } = await openBench(settings);
  const { ctx } = await addOrganization(services);
  const worker = await startProcess('worker', environment);
  const delays = await measureOutages(ctx, SETTINGS, { outages, seed, regions: REGIONS });
  await worker.stop();
  log(`simulating a day of ${monitors} monitors, ${2 * NOISE.length} times`);
  const noise = NOISE.map((kind) => simulateBoth(kind, { monitors, seed }));
  const figures: Figures = { outages, delays, noise, monitors };
  const command = ['npm run -s bench:detect', ...(words.length > 0 ? ['--', ...words] : [])].join(' ');
  return conclude({
    name: 'detect',
    markdown: formatMarkdown(figures, command),
    out: chooseOutput(given.out, words),
    broken: findBrokenLimits(figures),
  });
}

function simulateBoth(
  { name, noise, regions }: (typeof NOISE)[number],
  size: { monitors: number; seed: number },
): NoisyDay {
  const config = (confirmMs: number | null): StateConfig => ({
    intervalMs: INTERVAL_MS,
    timeoutMs: 30_000,
    alertThreshold: 3,
    recoveryThreshold: 1,
    degradedThresholdMs: 5000,
    tlsExpiryDays: null,
    configVersion: 1,
    confirmMs,
    isProbed: true,
    regions: REGIONS.slice(0, regions),
  });
  const day = (confirmMs: number | null) => simulateDay(config(confirmMs), noise, size);
  return { name, without: day(null), confirmed: day(CONFIRM_SECONDS * 1000) };
}
