import { groupBy } from '@/lib/core/groups';
import {
  chooseOutput,
  conclude,
  figure,
  findExceeded,
  log,
  percentiles,
  readCount,
  readOptions,
} from '../playground';
import { measureProbes } from '../probe/measure';
import type { Durations } from './phase';
import { compareSizes, formatMarkdown, type Result } from './report';
import { createRows, type Row } from './rows';
import { openWorld, type Setting } from './world';

export { createRunner } from '../probe/runner';

const USAGE = `usage: node bench/run.mjs checks [options]
  --rows A,B     rows to measure (default: all)
                 small, plain, change, alert, takeover, names, tls, redirects, tcp, dns, flood, quotas, saturation, probes,
                 birth, outage, recovery, half, announcements, and each of these with 3 regions: birth-3, …
                 quotas needs the right to create control groups, which root has
  --monitors N   number of monitors of the row plain (50000); the others follow
  --interval N   seconds between two checks of a monitor (60)
  --seconds N    seconds measured per row (30)
  --out DIR      output directory (default: docs/benchmarks, only without other options)
  --profile DIR  write CPU profiles of the workers here; one that is killed writes none
`;
const FLOOR_SECONDS = 6;
/** Without schedule, decisions and recording: what one exchange costs more than a bare one. */
const PROBES = 'probes';
const PROBE_SIZE = { rounds: 15, ms: 600, rate: 833 };

/** Runs the benchmark; returns the exit code: 1 if a limit is exceeded or a row failed. */
export async function main(words: string[]): Promise<number> {
  const text = { type: 'string' } as const;
  const flags = { rows: text, monitors: text, interval: text, seconds: text, out: text, profile: text };
  const given = readOptions(words, USAGE, flags);
  const monitors = readCount('monitors', given.monitors ?? 50_000);
  const interval = readCount('interval', given.interval ?? 60);
  const seconds = readCount('seconds', given.seconds ?? 30);
  const names = given.rows?.split(',');
  const rows = chooseRows(createRows({ monitors, interval }), names);
  const durations = { seconds, floorSeconds: Math.min(seconds, FLOOR_SECONDS) };

  const measured: Result[] = [];
  for (const [setting, own] of groupBy(rows, (row) => row.setting)) {
    measured.push(...(await measureRows(setting, own, durations, given.profile)));
  }
  if (names?.includes(PROBES) ?? true) measured.push(await runProbes());
  const results = compareSizes(measured);
  return conclude({
    name: 'checks',
    markdown: formatMarkdown(results, seconds),
    figures: { seconds, rows: results },
    out: chooseOutput(given.out, words),
    broken: results.flatMap(({ name, figures, error }) => [
      ...findExceeded(figures).map((line) => `${name}: ${line}`),
      ...(error === undefined ? [] : [`${name}: ${error}`]),
    ]),
  });
}

function chooseRows(rows: Row[], names: string[] | undefined): Row[] {
  if (names === undefined) return rows;
  const unknown = names.find((name) => name !== PROBES && !rows.some((row) => row.name === name));
  if (unknown !== undefined) throw new Error(`--rows: there is no row ${unknown}`);
  return rows.filter(({ name }) => names.includes(name));
}

async function runProbes(): Promise<Result> {
  const what = `checks alone, without a worker: the median of ${PROBE_SIZE.rounds} rounds against the floor`;
  log(`\n${PROBES}: ${what}`);
  const measured = await measureProbes(undefined, PROBE_SIZE, 'checks');
  const figures = measured.map(({ name, ratios, atMost }) =>
    figure.ratio(`${name}, × floor`, percentiles(ratios).p50, { atMost }),
  );
  return { name: PROBES, isSteady: false, what, figures };
}

/** Measures the rows of one setting. A row that fails is reported, and the next ones still run where they can. */
async function measureRows(
  setting: Setting,
  rows: Row[],
  durations: Durations,
  profile?: string,
): Promise<Result[]> {
  log(`\n${rows.map(({ name }) => name).join(', ')}: ${setting.what}`);
  const startedAt = performance.now();
  const world = await openWorld(setting, profile);
  const results: Result[] = [];
  for (const { name, isSteady, run } of rows) {
    log(`measuring ${name}`);
    const result = { name, isSteady, what: setting.what };
    try {
      results.push({ ...result, figures: await run(world, durations) });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      log(`${name} failed: ${reason}`);
      results.push({ ...result, figures: [], error: reason });
    }
    for (const { name: what, text } of results.at(-1)?.figures ?? []) log(`  ${what}: ${text}`);
  }
  await world.close();
  log(`took ${Math.round((performance.now() - startedAt) / 1000)} s`);
  return results;
}
