import { setTimeout as delay } from 'node:timers/promises';
import { familyOf, proportionalMemory } from '@/bin/testing/proportional-memory';
import {
  chooseOutput,
  conclude,
  count,
  cpuOfProcess,
  cpuOfServer,
  type Figure,
  figure,
  findExceeded,
  formatLimit,
  log,
  markdownTable,
  readCount,
  readOptions,
  startService,
  startTargets,
  today,
  verbOf,
} from '../playground';
import { addMonitors, addOrganization, openBench, targetUrls } from '../seed';

const USAGE = `usage: npm run bench:memory [-- options]
  --monitors LIST numbers of monitors, each measured on a new installation (100,1000)
  --seconds N     seconds from the last monitor to the last look (180)
  --out DIR       output directory (default: docs/benchmarks, only without options)
`;

/** MB in all, by the number of monitors. */
const LIMITS = new Map([
  [100, 320],
  [1000, 380],
]);
const LOOK_MS = 5000;
/** The figure is the median of these last looks: garbage comes and goes. */
const LOOKS = 12;
const INTERVAL = 60;

/** `cpuMs`: processor time since its start. */
type Process = { name: string; megabytes: number; cpuMs: number };
/** `cpuMs` of its processes: per second of the last looks. */
type Column = { monitors: number; processes: Process[] };

/** What an installation at rest takes: launcher, web, worker and database. Returns the exit code: 1 if a limit is exceeded. */
export async function main(words: string[]): Promise<number> {
  const text = { type: 'string' } as const;
  const given = readOptions(words, USAGE, { monitors: text, seconds: text, out: text });
  const sizes = (given.monitors ?? [...LIMITS.keys()].join())
    .split(',')
    .map((each) => readCount('monitors', each));
  const seconds = readCount('seconds', given.seconds ?? 180);
  if (seconds * 1000 < LOOKS * LOOK_MS) throw new Error(`--seconds: at least ${(LOOKS * LOOK_MS) / 1000}`);
  const columns: Column[] = [];
  for (const monitors of sizes) columns.push({ monitors, processes: await measure(monitors, seconds) });
  return conclude({
    name: 'memory',
    markdown: formatReport(columns),
    out: chooseOutput(given.out, words),
    broken: findExceeded(columns.map(inAll)),
  });
}

async function measure(monitors: number, seconds: number): Promise<Process[]> {
  const targets = await startTargets();
  const canary = `127.0.0.1:${targets.ports.responding[0]}`;
  const { services, environment, database, close } = await openBench({ NETWORK_CANARY: canary });
  const { organizationId } = await addOrganization(services);
  await addMonitors(
    services,
    organizationId,
    { monitors, interval: INTERVAL, timeout: 10 },
    targetUrls(targets.ports),
  );
  await services.db.$disconnect();
  const service = await startService(environment);
  const looks: Process[][] = [];
  for (let at = 0; at < seconds * 1000; at += LOOK_MS) {
    await delay(LOOK_MS);
    looks.push(look(service.pid, database.pid()));
    if (at % 30_000 === 0)
      log(`${count(monitors)} monitors: ${Math.round(total(looks.at(-1) ?? []))} MB after ${at / 1000} s`);
  }
  await service.stop();
  await targets.stop();
  await close();
  return summarize(looks.slice(-LOOKS));
}

/** The look with the median of memory; its processor time is that of all looks, per second. */
function summarize(looks: readonly Process[][]): Process[] {
  const [first = [], last = []] = [looks.at(0), looks.at(-1)];
  const seconds = ((looks.length - 1) * LOOK_MS) / 1000;
  const cpuOf = (processes: Process[], name: string) =>
    total(
      processes.filter((process) => process.name === name),
      'cpuMs',
    );
  const median = looks.toSorted((a, b) => total(a) - total(b))[looks.length / 2] ?? [];
  return median.map((process) => ({
    ...process,
    cpuMs: (cpuOf(last, process.name) - cpuOf(first, process.name)) / seconds,
  }));
}

function look(launcher: number, database: number): Process[] {
  const children = familyOf(launcher).filter((pid) => pid !== launcher);
  return [
    { name: 'launcher', megabytes: proportionalMemory([launcher]), cpuMs: cpuOfProcess(launcher) },
    ...children.map((pid) => ({
      name: verbOf(pid),
      megabytes: proportionalMemory([pid]),
      cpuMs: cpuOfProcess(pid),
    })),
    { name: 'database', megabytes: proportionalMemory(familyOf(database)), cpuMs: cpuOfServer(database) },
  ];
}

function total(processes: readonly Process[], of: 'megabytes' | 'cpuMs' = 'megabytes'): number {
  return processes.reduce((sum, process) => sum + process[of], 0);
}

function inAll({ monitors, processes }: Column): Figure {
  const atMost = LIMITS.get(monitors);
  const limit = atMost === undefined ? {} : { atMost };
  return figure.count(`in all, ${count(monitors)} monitors`, total(processes), limit);
}

function formatReport(columns: readonly Column[]): string {
  const names = [...new Set(columns.flatMap(({ processes }) => processes.map(({ name }) => name)))].sort();
  const rows = names.map((name) => [
    name,
    ...columns.flatMap(({ processes }) => {
      const own = processes.filter((process) => process.name === name);
      return [count(total(own)), count(total(own, 'cpuMs'))];
    }),
  ]);
  const sums = columns.flatMap((column) => {
    const sum = inAll(column);
    return [`${sum.text}${formatLimit(sum, ' (', ')')}`, count(total(column.processes, 'cpuMs'))];
  });
  const heads = columns.flatMap(({ monitors }) => [
    `${count(monitors)} monitors: MB`,
    'ms of CPU per second',
  ]);
  return `# Memory

\`npm run bench:memory\`, measured on ${today()}: what an installation takes at rest, minutes after its start: memory and processor time. Memory that several
processes share counts once (proportional set size). Each monitor is checked every ${INTERVAL} s. The command that npm itself runs is not counted.

${markdownTable(['', ...heads], [...rows, ['in all', ...sums]])}
`;
}
