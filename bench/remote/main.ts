import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createProbeToken } from '@/lib/domain/probe-tokens/probe-tokens';
import {
  type Child,
  chooseOutput,
  conclude,
  count,
  cpuOfProcess,
  createRandom,
  findExceeded,
  type Lateness,
  type Limit,
  log,
  markdownTable,
  measureLateness,
  readCount,
  readOptions,
  residentMemory,
  startProcess,
  startTargets,
  today,
} from '../playground';
import { addMonitors, addOrganization, openBench, REGION, targetUrls } from '../seed';
import { startSlowLink } from './slow-link';

const USAGE = `usage: node bench/run.mjs remote [options]
  --monitors N  number of monitors (1000)
  --seconds N   seconds measured of each (60)
  --seed N      draws what the link loses (1)
  --out DIR     output directory (default: docs/benchmarks, only without options)
`;

const INTERVAL = 30;
const REST_SECONDS = 10;
/** 200 ms there and back, and 1 % loss; one lost packet in ten breaks the connection. */
const LINK = { delayMs: 100, lost: 0.009, retransmitMs: 400, broken: 0.001 };
const LIMITS = { latenessMs: 2000, doubled: 0, restMegabytes: 80, ratio: 1.2 };

type Measured = { name: string; lateness: Lateness; cpuMs: number; megabytes: number };

/** A probe behind a slow link, and a worker, with the same monitors. Returns the exit code: 1 if a limit is exceeded. */
export async function main(words: string[]): Promise<number> {
  const text = { type: 'string' } as const;
  const given = readOptions(words, USAGE, { monitors: text, seconds: text, seed: text, out: text });
  const monitors = readCount('monitors', given.monitors ?? 1000);
  const seconds = readCount('seconds', given.seconds ?? 60);
  const random = createRandom(readCount('seed', given.seed ?? 1));

  const targets = await startTargets();
  const settings = {
    PROBE_REGIONS: REGION,
    TARGET_POLICY: 'private',
    NETWORK_CANARY: `127.0.0.1:${targets.ports.responding[0]}`,
  };
  const { services, environment, origin } = await openBench(settings);
  const { organizationId } = await addOrganization(services);
  const { token } = await createProbeToken(services, { region: REGION, name: 'bench' });
  const web = await startProcess('web', environment);
  const link = await startSlowLink(Number(new URL(origin).port), LINK, random);
  const probeEnvironment = {
    ...environment,
    DATABASE_URL: '',
    SECRET_KEY: '',
    PHAROS_URL: link.url,
    PHAROS_PROBE_TOKEN: token,
    PHAROS_PROBE_SPOOL: await mkdtemp(join(tmpdir(), 'pharos-spool-')),
  };

  log(`a probe at rest, ${REST_SECONDS} s`);
  const idle = await startProcess('probe', probeEnvironment);
  await delay(REST_SECONDS * 1000);
  const restMegabytes = residentMemory(idle.pid) / 1e6;
  await idle.stop();

  await addMonitors(
    services,
    organizationId,
    { monitors, interval: INTERVAL, timeout: 10 },
    targetUrls(targets.ports),
  );
  const measure = async (name: string, start: () => Promise<Child>): Promise<Measured> => {
    // What is overdue at the start is spread over one interval, after which a slot may be skipped.
    log(`${name}: ${2 * INTERVAL + seconds} s`);
    const child = await start();
    await delay(2 * INTERVAL * 1000);
    const [from, cpu] = [services.clock.now(), cpuOfProcess(child.pid)];
    await delay(seconds * 1000);
    const cpuMs = cpuOfProcess(child.pid) - cpu;
    const until = services.clock.now();
    const megabytes = residentMemory(child.pid) / 1e6;
    // What is on its way counts.
    await delay(2000);
    const lateness = await measureLateness(services.db, from, new Date(until.getTime() - 1000));
    await child.stop();
    return { name, lateness, cpuMs: cpuMs / lateness.results, megabytes };
  };
  const probe = await measure('a probe over the link', () => startProcess('probe', probeEnvironment));
  const worker = await measure('a worker', () => startProcess('worker', environment));
  await Promise.all([web.stop(), targets.stop(), link.close()]);

  const ratio = probe.cpuMs / worker.cpuMs;
  const limits: Limit[] = [
    { name: 'lateness of a probe, p99 ms', value: probe.lateness.p99, atMost: LIMITS.latenessMs },
    { name: 'slots of a probe with two results', value: probe.lateness.doubled, atMost: LIMITS.doubled },
    { name: 'a probe at rest, MB', value: restMegabytes, atMost: LIMITS.restMegabytes },
    { name: 'CPU per check, × a worker', value: ratio, atMost: LIMITS.ratio },
  ];
  const { packets, lost, broken } = link.counts;
  const rows = [probe, worker].map(({ name, lateness, cpuMs, megabytes }) => [
    name,
    count(lateness.slots),
    count(lateness.missed),
    count(lateness.doubled),
    `${lateness.p50.toFixed(0)} / ${lateness.p99.toFixed(0)}`,
    cpuMs.toFixed(2),
    megabytes.toFixed(0),
  ]);
  return conclude({
    name: 'remote',
    markdown: `# Probes over HTTPS

\`npm run -s bench:remote\`, measured on ${today()}: ${count(monitors)} monitors every ${INTERVAL} s, first by a probe that reaches its web process through a link with
${2 * LINK.delayMs} ms there and back, of whose ${count(packets)} packets ${count(lost)} were lost and sent again, and ${count(broken)} broke the connection; then by a worker on
the same machine as PostgreSQL.

${markdownTable(['', 'slots', 'without a result', 'with two', 'lateness p50 / p99, ms', 'CPU ms per check', 'MB'], rows)}

Per check, a probe takes ${ratio.toFixed(2)} times the processor time of a worker (limit ${LIMITS.ratio}). At rest, it takes ${restMegabytes.toFixed(0)} MB (limit ${LIMITS.restMegabytes}).
Limits over the link: lateness p99 ${count(LIMITS.latenessMs)} ms, no slot with two results.
`,
    out: chooseOutput(given.out, words),
    broken: findExceeded(limits),
  });
}
