import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findFreePort } from '@/lib/core/ports';
import type { ProcessServices } from '@/lib/domain/context/services';
import {
  chooseOutput,
  conclude,
  log,
  measureLateness,
  portOf,
  readCount,
  readOptions,
  startProcess,
  startScript,
  startTargets,
} from '../playground';
import { addMonitors, addOrganization, openBench, REGION, targetUrls } from '../seed';
import { addDeliveries, measureDeliveries, REJECTIONS } from './deliveries';
import { startRealServer } from './real-server';
import { type Figures, findBrokenLimits, formatMarkdown } from './report';
import { type BenchServer, startTestServer } from './server';

const TIMEOUT_SECONDS = 10;
const SETTLE_MS = 3000;

const USAGE = `usage: node bench/run.mjs drivers [options]
  --monitors N   number of monitors (1000)
  --interval N   seconds between two checks of a monitor (30)
  --seconds N    seconds measured after one interval of warm-up (180)
  --alone        without an embedded driver: only Inngest wakes workers
  --no-wipe      keep the Inngest server running; by default it stops and loses its data for the middle third
  --inngest PATH the program of a self-hosted Inngest, which is started and wiped
  --deliveries N deliveries whose first two attempts are rejected (0); their retries take six minutes: use --seconds 480
  --out DIR      output directory (default: docs/benchmarks, only without other options)
`;

type Options = ReturnType<typeof parseOptions>;

function parseOptions(words: string[]) {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean', default: false } as const;
  const counts = { monitors: text, interval: text, seconds: text, deliveries: text };
  const others = { inngest: text, out: text, alone: flag, 'no-wipe': flag };
  const given = readOptions(words, USAGE, { ...counts, ...others });
  return {
    monitors: readCount('monitors', given.monitors ?? 1000),
    interval: readCount('interval', given.interval ?? 30),
    seconds: readCount('seconds', given.seconds ?? 180),
    deliveries: readCount('deliveries', given.deliveries ?? 0, 0),
    alone: given.alone,
    wipe: !given['no-wipe'],
    /** Null: use the test server. */
    inngest: given.inngest === undefined ? null : resolve(given.inngest),
    out: chooseOutput(given.out, words),
  };
}

/** Runs the benchmark; returns the exit code: 1 if a limit is exceeded. */
export async function main(words: string[]): Promise<number> {
  const options = parseOptions(words);
  const figures = await run(options);
  const command = ['npm run -s bench:drivers', ...(words.length > 0 ? ['--', ...words] : [])].join(' ');
  return conclude({
    name: options.inngest === null ? 'drivers' : 'inngest',
    markdown: formatMarkdown(figures, command),
    out: options.out,
    broken: findBrokenLimits(figures),
  });
}

async function run(options: Options): Promise<Figures> {
  const { monitors, interval, deliveries, inngest, alone } = options;
  const settings = { PROBE_REGIONS: REGION, TARGET_POLICY: 'private', LOG_LEVEL: 'error' };
  const { directory, services, environment: embedded } = await openBench(settings);
  log('starting the targets and the Inngest server');
  const [targets, receiver, server] = await Promise.all([
    startTargets(),
    startScript('drivers/failing-receiver.mjs', [String(REJECTIONS)]),
    inngest === null ? startTestServer() : startRealServer(inngest, directory),
  ]);
  const { organizationId, ctx } = await addOrganization(services);
  const size = { monitors, interval, timeout: TIMEOUT_SECONDS };
  await addMonitors(services, organizationId, size, targetUrls(targets.ports));

  log(`${monitors} monitors; starting the workers`);
  const port = String(await findFreePort());
  const address = { WORKER_PORT: port, INNGEST_SERVE_ORIGIN: `http://127.0.0.1:${port}` };
  const woken = { ...embedded, ...server.settings, ...address };
  await Promise.all(
    (alone ? [woken] : [woken, embedded]).map((environment) => startProcess('worker', environment)),
  );
  const deliver = () => addDeliveries(ctx, `http://127.0.0.1:${portOf(receiver)}/`, deliveries);
  return measure(services, server, deliver, options);
}

async function measure(
  services: ProcessServices,
  server: BenchServer,
  deliver: () => Promise<void>,
  { monitors, interval, seconds, alone, wipe, deliveries }: Options,
): Promise<Figures> {
  const runs = server.countRuns();
  await delay(interval * 1000);
  const from = services.clock.now();
  const third = (seconds * 1000) / 3;
  log(`measuring for ${seconds} s`);
  const startedAt = performance.now();
  const until = (ms: number) => delay(Math.max(0, startedAt + ms - performance.now()));
  if (deliveries > 0) await deliver();
  await until(third);
  if (wipe) {
    log('the server is stopped and its data deleted');
    await server.wipe();
  }
  await until(2 * third);
  if (wipe) {
    log('the server is running again');
    await server.comeBack();
  }
  await until(3 * third);
  const to = services.clock.now();
  await delay(TIMEOUT_SECONDS * 1000 + SETTLE_MS);
  const maxRunsPerMinute = await runs.stop();
  await services.clock.measure();
  return {
    monitors,
    interval,
    seconds,
    alone,
    wipe,
    server: server.name,
    lateness: await measureLateness(services.db, from, to),
    deliveries: deliveries > 0 ? await measureDeliveries(services.db) : null,
    maxRunsPerMinute,
  };
}
