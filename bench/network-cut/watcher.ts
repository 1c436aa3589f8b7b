import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { probe } from '@/lib/checks/probe';
import { createLogger } from '@/lib/core/logger';
import { OutageWatch } from '@/lib/engine/checks/outage-watch';
import { createOwnNetwork, isReachable, type OwnNetwork } from '@/lib/platform/net/canary';
import { monitorDefaults, PROBED_FIELDS, type ProbeTarget, pickFields } from '@/lib/schemas/monitor/fields';
import { type Canary, type Cell, FLAPPING_S, isDown, type Outage, THRESHOLDS } from './cells';
import { expectUsualAlert, findAlert, findUsualAlert, type Results, runInstallation } from './installation';
import {
  CACHED_NAME,
  CUT_NEIGHBOR,
  DOWN_NETWORK,
  FLAPPING,
  LAN,
  PORTS,
  RETIRED,
  setUplink,
  startCachingResolver,
  startWorld,
  UP_NETWORK,
  UPLINK,
  type World,
} from './world';

const SECOND = 1000;
const RETIRED_AT = 60 * SECOND;
/** A proof counts for 10 minutes after it last worked. */
const OUTAGE_AT = 720 * SECOND;
/** Three intervals, delays included; and until everything was reached again. */
const INTERVALS = 3.5;
const DELAYS_MS = 140 * SECOND;
const SETTLE_MS = 60 * SECOND;

const EXPLICIT = `${UP_NETWORK}.250:${PORTS.http}`;
/** No host has it. */
const NOBODY = '10.77.0.77';

/** What became of a cell: of each threshold and monitor, when it alerted although only the network was cut, and how late otherwise. */
export type Outcome = Cell & {
  outage: Outage;
  alerts: { threshold: number; isNeighbor: boolean; falseAlert: boolean; delaysMs: (number | null)[] }[];
};

type Run = { cell: Cell; outage: Outage; results: Results[] };

/**
 * Runs all cells at the same time, in this network namespace, which is connected to a world of its own: first targets fail, then the
 * link to the world is cut. Returns what became of each cell.
 */
export async function runCells(
  cells: readonly { cell: Cell; outage: Outage }[],
  { world: command, log }: { world: readonly string[]; log: (line: string) => void },
): Promise<Outcome[]> {
  const world = await startWorld(command);
  const cachingResolver = await startCachingResolver();
  const begunAt = performance.now();
  const elapsed = () => performance.now() - begunAt;
  const until = async (ms: number) => {
    await sleep(Math.max(0, ms - elapsed()));
  };
  const stopping = new AbortController();
  setMaxListeners(0, stopping.signal);
  const runs = cells.map(
    (each): Run => ({
      ...each,
      results: begin(each, cachingResolver, { signal: stopping.signal, now: elapsed }),
    }),
  );
  log(`${runs.length} cells with ${runs.reduce((sum, { results }) => sum + results.length, 0)} monitors run`);
  void flap(world, stopping.signal);
  const longestMs = Math.max(...cells.map(({ cell }) => cell.intervalS)) * SECOND;
  const lastsMs = INTERVALS * longestMs + DELAYS_MS;

  await until(RETIRED_AT);
  await world.ip('route', 'del', 'local', `${RETIRED}/32`, 'dev', 'lo');
  await until(OUTAGE_AT);
  log('targets fail');
  await world.ip('route', 'del', 'local', `${DOWN_NETWORK}.0/24`, 'dev', 'lo');
  await until(OUTAGE_AT + lastsMs);
  log('they are back');
  await world.ip('route', 'add', 'local', `${DOWN_NETWORK}.0/24`, 'dev', 'lo');
  const outageEndsAt = elapsed();
  await sleep(longestMs + SETTLE_MS);
  log('the network is cut');
  const cutAt = elapsed();
  setUplink(false);
  await sleep(INTERVALS * longestMs);
  setUplink(true);
  log('the network is back');
  await sleep(SETTLE_MS);
  stopping.abort();
  world.end();
  return runs.map((run) => judge(run, { outageEndsAt, cutAt }));
}

/** Begins the checks of an installation. The last target may be a neighbor. */
function begin(
  { cell, outage }: { cell: Cell; outage: Outage },
  cachingResolver: string,
  clocks: { signal: AbortSignal; now: () => number },
): Results[] {
  const log = createLogger('silent', 'bench');
  const clock = { now: () => new Date() };
  const network = networkOf(cell.canary, cachingResolver);
  const watch = new OutageWatch({ clock, log, network, onCutOff: () => undefined });
  watch.start();
  clocks.signal.addEventListener('abort', watch.stop);
  return runInstallation(
    {
      targets: listTargets(cell, outage, cachingResolver),
      intervalMs: cell.intervalS * SECOND,
      confirms: cell.confirms,
      watch,
      check: (target) => probe(target, ENVIRONMENT),
    },
    clocks,
  );
}

const ENVIRONMENT = {
  policy: { mode: 'private', allowedCidrs: [] },
  userAgent: 'Pharos-Monitor/1.0',
} as const;

function listTargets(cell: Cell, outage: Outage, cachingResolver: string): ProbeTarget[] {
  const http = (address: string) => createTarget('http', `http://${address}:${PORTS.http}/`);
  const targets = Array.from({ length: cell.monitors }, (_, index) =>
    http(`${isDown(outage, index, cell.monitors) ? DOWN_NETWORK : UP_NETWORK}.${index + 1}`),
  );
  if (cell.neighbors !== 'none') targets.push(http(cell.neighbors === 'cut' ? CUT_NEIGHBOR : LAN.neighbor));
  // What a cache says proves nothing.
  if (cell.canary === 'default, resolver with a cache')
    targets.push(createTarget('dns', `dns://${cachingResolver}/${CACHED_NAME}?type=A`));
  return targets;
}

function createTarget(type: ProbeTarget['type'], url: string): ProbeTarget {
  return { ...pickFields({ ...monitorDefaults, type, url }, PROBED_FIELDS), timeout: 10 };
}

function networkOf(canary: Canary, cachingResolver: string): OwnNetwork {
  const resolver = `${UPLINK.gateway}:${PORTS.dns}`;
  const own: Record<Canary, OwnNetwork> = {
    default: createOwnNetwork([], [resolver]),
    'default, resolver with a cache': createOwnNetwork([], [cachingResolver]),
    explicit: createOwnNetwork([EXPLICIT], [resolver]),
    'explicit, retired long ago': createOwnNetwork([`${RETIRED}:${PORTS.http}`], [resolver]),
    flapping: createOwnNetwork([`${FLAPPING}:${PORTS.http}`], [resolver]),
    'ICMP blocked': withSilentGateway(createOwnNetwork([], [resolver])),
    'none that ever worked': withSilentGateway(createOwnNetwork([NOBODY], [resolver])),
  };
  return own[canary];
}

/** As if the gateway dropped echo requests: the same one has to respond in other cells. */
function withSilentGateway({ readLinks, listProofs }: OwnNetwork): OwnNetwork {
  const silent = () => isReachable({ kind: 'ping', address: NOBODY });
  return {
    readLinks,
    listProofs: async (links) =>
      (await listProofs(links)).map((proof) =>
        proof.id.startsWith('gateway') ? { ...proof, ask: silent } : proof,
      ),
  };
}

async function flap(world: World, signal: AbortSignal): Promise<void> {
  for (let isUp = false; !signal.aborted; isUp = !isUp) {
    await sleep((isUp ? FLAPPING_S.silent : FLAPPING_S.responds) * SECOND);
    if (signal.aborted) return;
    await world.ip('route', isUp ? 'add' : 'del', 'local', `${FLAPPING}/32`, 'dev', 'lo');
  }
}

function judge(
  { cell, outage, results }: Run,
  { outageEndsAt, cutAt }: { outageEndsAt: number; cutAt: number },
): Outcome {
  const pace = { from: OUTAGE_AT, confirms: cell.confirms, intervalMs: cell.intervalS * SECOND };
  // Only a proof that is silent while the network works has checks made again.
  const findUsual = (each: Results, threshold: number) =>
    cell.canary === 'flapping'
      ? expectUsualAlert(each, threshold, pace)
      : findUsualAlert(each, threshold, OUTAGE_AT);
  const alerts = THRESHOLDS.flatMap((threshold) =>
    [false, true].map((isNeighbor) => {
      const own = isNeighbor ? results.slice(cell.monitors) : results.slice(0, cell.monitors);
      const beforeCut = own.map((each) => each.filter(({ at }) => at < outageEndsAt));
      const delaysMs = beforeCut.flatMap((each) => {
        const usual = findUsual(each, threshold);
        const alert = findAlert(each, threshold, OUTAGE_AT);
        if (usual === null) return alert === null ? [] : [null];
        return [alert === null ? null : alert - usual];
      });
      const falseAlert = own.some((each) => findAlert(each, threshold, cutAt) !== null);
      return { threshold, isNeighbor, falseAlert, delaysMs };
    }),
  );
  return { ...cell, outage, alerts };
}
