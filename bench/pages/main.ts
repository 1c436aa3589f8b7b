import { mkdir } from 'node:fs/promises';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '@/lib/core/ports';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { checkSecretKey, createServices, type ProcessServices } from '@/lib/domain/context/services';
import { createOrganization } from '@/lib/domain/organizations/create-organization';
import { parseEnvironment } from '@/lib/env';
import { migrate } from '@/lib/platform/db/migrate';
import { REFRESH_HEADER } from '@/lib/platform/page-front/application';
import { startEmbeddedPostgres } from '@/lib/platform/postgres';
import { startProcess } from '../checks/processes';
import { openPlayground } from '../playground';
import { type Figures, findBrokenLimits, type Served } from './figures';
import { get } from './get';
import { runLighthouse } from './lighthouse';
import { type Load, load, summarize, type Target } from './load';
import { measureMisses } from './measure-misses';
import { measureOutage } from './measure-outage';
import { formatReport, writeReport } from './report';
import { SLUG, seed } from './seed';
import { startBareServer, startNextAlone } from './servers';
import { keepChanging } from './set-statuses';

const PATHS = { HTML: `/status/${SLUG}`, JSON: `/api/status-pages/public?slug=${SLUG}` } as const;
const KINDS = ['HTML', 'JSON'] as const;
const GZIP = { 'accept-encoding': 'gzip' };
const ROUNDS = 3;
const SECONDS = 3;
const MISSES = 240;

/** Status pages under load, side by side with a bare server and with Next alone. Answers the exit code: 1 for a broken limit. */
export async function main({ root }: { root: string; words: string[] }): Promise<number> {
  const directory = openPlayground();
  const figures = await run(root, directory);
  const at = new Date();
  console.log(`\n${formatReport(figures, at)}`);
  await writeReport(join(root, 'docs', 'benchmarks'), figures, at);
  const broken = findBrokenLimits(figures);
  for (const line of broken) console.error(`BROKEN: ${line}`);
  return broken.length > 0 ? 1 : 0;
}

async function run(root: string, directory: string): Promise<Figures> {
  tell('starting PostgreSQL and the web process');
  const database = await startDatabase(directory);
  await migrate({ url: database.url, directory: join(root, 'prisma', 'migrations') });
  const port = await findFreePort();
  const environment = {
    DATABASE_URL: database.url,
    SECRET_KEY: 'a key for benchmarks '.repeat(2),
    HOST: '127.0.0.1',
    PORT: String(port),
    TRUSTED_PROXIES: '127.0.0.1',
    LOG_LEVEL: 'fatal',
  };
  const services = createServices(parseEnvironment(environment), 'pharos benchmark');
  await checkSecretKey(services);
  const ids = await seed(await addOrganization(services));
  const web = await startProcess(root, 'web', environment, null);
  const origin = `http://127.0.0.1:${port}`;

  const served = await measureServed(root, environment, { origin, pid: web.pid });
  tell('answers made anew');
  const pids = { web: web.pid, postgres: database.pid() };
  const misses = {
    HTML: await measureMisses({ origin, path: PATHS.HTML }, pids, MISSES),
    JSON: await measureMisses({ origin, path: PATHS.JSON }, pids, MISSES),
  };
  tell('Lighthouse');
  const lighthouse = await runLighthouse(root, origin + PATHS.HTML);
  const changing = await measureChanging(root, services, ids, { url: origin + PATHS.HTML, pid: web.pid });
  await services.db.$disconnect();
  tell('without a database');
  await get(origin + PATHS.JSON);
  const outage = await measureOutage(origin, Object.values(PATHS), database);
  await web.stop();
  await database.stop();
  return { load: describeMachine(), served, misses, changing, outage, lighthouse };
}

/** Answers that are kept, from each server in turns. */
async function measureServed(
  root: string,
  environment: Record<string, string>,
  web: { origin: string; pid: number },
): Promise<Served[]> {
  const answers = new Map(
    await Promise.all(
      KINDS.map(async (kind) => [PATHS[kind], await get(web.origin + PATHS[kind], GZIP)] as const),
    ),
  );
  const bare = await startBareServer(root, answers);
  const nextPort = await findFreePort();
  const next = await startNextAlone(root, environment, nextPort);
  const served: Served[] = [];
  for (const kind of KINDS) {
    const path = PATHS[kind];
    const pharosTarget = { url: web.origin + path, pid: web.pid, headers: GZIP };
    const bareTarget = { url: `http://127.0.0.1:${bare.port}${path}`, pid: bare.pid, headers: GZIP };
    // Nobody is counted against a limit of visitors: the header is one that our front takes from others.
    const headers = { ...GZIP, [REFRESH_HEADER]: '1' };
    const nextTarget = { url: `http://127.0.0.1:${nextPort}${path}`, pid: next.pid, headers };
    tell(`${kind}: kept answers, ${2 * (1 + ROUNDS * SECONDS)} s`);
    const [pharos, bareLoad] = await takeTurns(root, [pharosTarget, bareTarget]);
    tell(`${kind}: next start alone, ${1 + SECONDS} s`);
    await load(root, nextTarget, { seconds: 1 });
    served.push({
      kind,
      bytes: answers.get(path)?.body.length ?? 0,
      nextBytes: (await get(nextTarget.url, headers)).body.length,
      pharos,
      bare: bareLoad,
      next: await load(root, nextTarget, { seconds: SECONDS }),
    });
  }
  await Promise.all([bare.stop(), next.stop()]);
  return served;
}

async function takeTurns(root: string, [one, other]: [Target, Target]): Promise<[Load, Load]> {
  for (const target of [one, other]) await load(root, target, { seconds: 1 });
  const loads: [Load[], Load[]] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    loads[0].push(await load(root, one, { seconds: SECONDS }));
    loads[1].push(await load(root, other, { seconds: SECONDS }));
  }
  return [summarize(loads[0]), summarize(loads[1])];
}

async function measureChanging(
  root: string,
  services: ProcessServices,
  ids: string[],
  target: Target,
): Promise<Figures['changing']> {
  const quiet: Load[] = [];
  const changing: Load[] = [];
  let changes = 0;
  let ms = 0;
  const gzipped = { ...target, headers: GZIP };
  for (let round = 1; round <= ROUNDS; round += 1) {
    tell(`while monitors change: ${round} of ${ROUNDS}, ${2 * SECONDS} s`);
    quiet.push(await load(root, gzipped, { seconds: SECONDS }));
    const begun = performance.now();
    const changer = keepChanging(services, ids);
    changing.push(await load(root, gzipped, { seconds: SECONDS }));
    changes += await changer.stop();
    ms += performance.now() - begun;
  }
  return { quiet: summarize(quiet), changing: summarize(changing), changesPerSecond: (1000 * changes) / ms };
}

async function addOrganization(services: ProcessServices): Promise<OrganizationContext> {
  const { organizationId, userId } = await createOrganization(services, {
    name: 'Bench',
    plan: 'enterprise',
    email: 'bench@example.com',
    password: 'correct horse battery',
  });
  return { ...services, organizationId, actor: { kind: 'user', userId, role: 'owner' } };
}

/** An embedded PostgreSQL that can be stopped and started again at the same address. */
async function startDatabase(directory: string) {
  const dataDir = join(directory, 'data');
  await mkdir(dataDir);
  const launch = (port?: number) =>
    startEmbeddedPostgres({
      dataDir,
      stagingBase: join(directory, 'staging'),
      log: () => undefined,
      ...(port === undefined ? {} : { findPort: async () => port }),
    });
  let server = await launch();
  const { url } = server;
  return {
    url,
    pid: () => server.pid,
    stop: () => server.stop(),
    start: async () => {
      server = await launch(Number(new URL(url).port));
    },
  };
}

function describeMachine(): string {
  const [minute = 0] = loadavg();
  return `The machine has ${cpus().length} cores, with a load of ${minute.toFixed(0)} at the end of the run`;
}

function tell(line: string): void {
  process.stderr.write(`${line}\n`);
}
