import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { findFreePort } from '@/lib/core/ports';
import type { ProcessServices } from '@/lib/domain/context/services';
import { REFRESH_HEADER } from '@/lib/platform/page-front/application';
import {
  type Child,
  conclude,
  get,
  log,
  type Response,
  root,
  runLighthouse,
  startNext,
  startProcess,
  startScript,
  startWarmBareNext,
} from '../playground';
import { addOrganization, openBench } from '../seed';
import { keepServed } from '../seed-history';
import { type Load, load, summarize, type Target } from './load';
import { measureMisses, measureOutage } from './measure';
import { type Figures, findBrokenLimits, formatReport, type Served } from './report';
import { keepChanging, SLUG, seed } from './seed';

const PATHS = { HTML: `/status/${SLUG}`, JSON: `/api/status-pages/public?slug=${SLUG}` } as const;
const KINDS = ['HTML', 'JSON'] as const;
const GZIP = { 'accept-encoding': 'gzip' };
const ROUNDS = 3;
const SECONDS = 3;
const MISSES = 240;

/** Status pages under load, compared with a bare server and with Next alone. Returns the exit code: 1 if a limit is exceeded. */
export async function main(): Promise<number> {
  const figures = await run();
  const markdown = formatReport(figures);
  return conclude({ name: 'pages', markdown, figures, broken: findBrokenLimits(figures) });
}

async function run(): Promise<Figures> {
  const settings = { TRUSTED_PROXIES: '127.0.0.1', LOG_LEVEL: 'fatal' };
  const { database, environment, services, origin } = await openBench(settings);
  const { ctx } = await addOrganization(services);
  const ids = await seed(ctx);
  await keepServed(services);
  const web = await startProcess('web', environment);

  const served = await measureServed(environment, { origin, pid: web.pid });
  log('rendered responses');
  const pids = { pharos: web.pid, postgres: database.pid() };
  const missesOf = async (path: string) => {
    const bare = await startWarmBareNext(database.pid());
    const misses = await measureMisses({ origin, path }, pids, MISSES, bare);
    await bare.stop();
    return misses;
  };
  const misses = { HTML: await missesOf(PATHS.HTML), JSON: await missesOf(PATHS.JSON) };
  log('Lighthouse');
  const lighthouse = await runLighthouse(origin + PATHS.HTML);
  const changing = await measureChanging(services, ids, { url: origin + PATHS.HTML, pid: web.pid });
  await services.db.$disconnect();
  log('without a database');
  await get(origin + PATHS.JSON);
  const outage = await measureOutage(origin, Object.values(PATHS), database);
  return { load: formatMachine(), served, misses, changing, outage, lighthouse };
}

/** Cached responses, from each server alternately. */
async function measureServed(
  environment: Record<string, string>,
  web: { origin: string; pid: number },
): Promise<Served[]> {
  const responses = new Map<string, Response>();
  for (const kind of KINDS) {
    const url = web.origin + PATHS[kind];
    // The bare server sends the body that is compressed better, as ours does after the first requests.
    await load({ url, pid: web.pid, headers: GZIP }, 1);
    responses.set(PATHS[kind], await get(url, GZIP));
  }
  const bare = await startBareServer(responses);
  // The same build without our front.
  const nextPort = await findFreePort();
  const nextOrigin = `http://127.0.0.1:${nextPort}`;
  const { buildWeb }: typeof import('@/bin/build.mjs') = await import(
    pathToFileURL(join(root, 'bin', 'build.mjs')).href
  );
  const settings = { ...environment, NEXTAUTH_URL: nextOrigin, WEB_BUILD: await buildWeb() };
  const next = await startNext(root, nextPort, settings);
  const served: Served[] = [];
  for (const kind of KINDS) {
    const path = PATHS[kind];
    const pharosTarget = { url: web.origin + path, pid: web.pid, headers: GZIP };
    const bareTarget = { url: `http://127.0.0.1:${bare.port}${path}`, pid: bare.pid, headers: GZIP };
    // Bypasses the visitor rate limit, with a header that our front strips from other requests.
    const headers = { ...GZIP, [REFRESH_HEADER]: '1' };
    const nextTarget = { url: nextOrigin + path, pid: next.pid, headers };
    log(`${kind}: cached responses, ${2 * (1 + ROUNDS * SECONDS)} s`);
    const [pharos, bareLoad] = await takeTurns([pharosTarget, bareTarget]);
    log(`${kind}: next start alone, ${1 + SECONDS} s`);
    await load(nextTarget, 1);
    served.push({
      kind,
      bytes: responses.get(path)?.body.length ?? 0,
      nextBytes: (await get(nextTarget.url, headers)).body.length,
      pharos,
      bare: bareLoad,
      next: await load(nextTarget, SECONDS),
    });
  }
  await Promise.all([bare.stop(), next.stop()]);
  return served;
}

async function takeTurns([one, other]: [Target, Target]): Promise<[Load, Load]> {
  for (const target of [one, other]) await load(target, 1);
  const loads: [Load[], Load[]] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    loads[0].push(await load(one, SECONDS));
    loads[1].push(await load(other, SECONDS));
  }
  return [summarize(loads[0]), summarize(loads[1])];
}

async function measureChanging(
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
    log(`while monitors change: ${round} of ${ROUNDS}, ${2 * SECONDS} s`);
    quiet.push(await load(gzipped, SECONDS));
    const begun = performance.now();
    const changer = keepChanging(services, ids);
    changing.push(await load(gzipped, SECONDS));
    changes += await changer.stop();
    ms += performance.now() - begun;
  }
  return { quiet: summarize(quiet), changing: summarize(changing), changesPerSecond: (1000 * changes) / ms };
}

function formatMachine(): string {
  const [minute = 0] = loadavg();
  return `The machine has ${cpus().length} cores, with a load of ${minute.toFixed(0)} at the end of the run`;
}

/** Headers that Node sets itself. */
const OF_THE_CONNECTION = /^(connection|keep-alive|date|transfer-encoding)$/i;

/** Starts a bare node:http server that sends these responses, by path. */
async function startBareServer(responses: Map<string, Response>): Promise<Child & { port: number }> {
  const script = await startScript('pages/bare-server.mjs');
  const served = [...responses].map(([path, { rawHeaders, body }]) => ({
    path,
    head: rawHeaders.filter((_, index) => !OF_THE_CONNECTION.test(rawHeaders[index - (index % 2)] ?? '')),
    body: body.toString('base64'),
  }));
  return { ...script, port: await script.request<number>(served) };
}
