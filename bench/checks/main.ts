import {
  chooseOutput,
  conclude,
  log,
  readCount,
  readOptions,
  startProcess,
  startTargets,
} from '../playground';
import { addMonitors, addOrganization, type Monitors, openBench, REGION } from '../seed';
import { type Figures, measure } from './measure';
import { findBrokenLimits, formatMarkdown } from './report';

const USAGE = `usage: node bench/run.mjs checks [options]
  --monitors N   number of monitors (10000)
  --interval N   seconds between two checks of a monitor (60)
  --seconds N    seconds measured after one interval of warm-up (180)
  --out DIR      output directory (default: docs/benchmarks, only without other options)
  --profile DIR  write a CPU profile of the worker here
`;

/** Runs the benchmark; returns the exit code: 1 if a limit is exceeded. */
export async function main(words: string[]): Promise<number> {
  const text = { type: 'string' } as const;
  const flags = { monitors: text, interval: text, seconds: text, out: text, profile: text };
  const given = readOptions(words, USAGE, flags);
  const size = {
    monitors: readCount('monitors', given.monitors ?? 10_000),
    interval: readCount('interval', given.interval ?? 60),
    timeout: 30,
    hangingEvery: 100,
  };
  const figures = await run(size, readCount('seconds', given.seconds ?? 180), given.profile);
  return conclude({
    name: 'checks',
    markdown: formatMarkdown(figures),
    figures,
    out: chooseOutput(given.out, words),
    broken: findBrokenLimits(figures),
  });
}

async function run(size: Monitors, seconds: number, profile?: string): Promise<Figures> {
  const { environment, services, database } = await openBench({ PROBE_REGIONS: REGION });
  const targets = await startTargets();
  log(`adding ${size.monitors} monitors`);
  const { organizationId } = await addOrganization(services);
  await addMonitors(services, organizationId, size, targets.ports);
  await services.db.$executeRaw`CHECKPOINT`;

  log('starting the worker');
  const worker = await startProcess('worker', environment, profile);
  const figures = await measure(services, { pharos: worker.pid, postgres: database.pid() }, size, seconds);
  // Writes its profile.
  await worker.stop();
  return figures;
}
