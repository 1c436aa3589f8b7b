import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { log, root } from '../playground';
import { type Client, createClient, withPatience } from './client';
import { watchCurves } from './curves';
import { readDump } from './dump';
import { inflict } from './faults';
import type { FaultSpan, HealthSample, Observations, WatchedMonitor } from './observations';
import { MAINTENANCE_MS, type MonitorPlan, type OperationPlan, type Plan } from './plan';
import { publishPages, readApi } from './read-api';
import { startWorld, type World } from './world';

/** Milliseconds of real time between two looks at the health of each web process. */
const HEALTH_MS = 250;
/** Characters of each log that are printed if a run cannot be finished. */
const MAX_LOG = 2000;

/** The API client of an organization of the plan. */
type ClientOf = (organization: number) => Client;

function requireIn<Value>(values: Value[], index: number): Value {
  const value = values[index];
  if (value === undefined) throw new Error(`there is no number ${index}`);
  return value;
}

/** Runs a plan on real processes and returns what was seen from outside. */
export async function runPlan(plan: Plan, options: { factor: number }): Promise<Observations> {
  const world = await startWorld(plan, options);
  const { time } = world;
  try {
    const clients = world.apiKeys.map((apiKey) => createClient(world, apiKey));
    const clientOf = (organization: number) => requireIn(clients, organization);
    const endpoints = await addEndpoints(plan, world, clientOf);
    const { monitors } = world;
    const startedAt = time.begin();
    for (const monitor of plan.monitors) monitors.push(await addMonitor(monitor, world, clientOf));
    await publishPages({ clients, monitors });
    log(`${monitors.length} monitors are checked`);

    const ended = new AbortController();
    const health: HealthSample[] = [];
    const watching = watchHealth(world, health, ended.signal);
    const measuring = watchCurves(world, ended.signal);
    const stalls = watchMachine(world, ended.signal);
    const [faults] = await Promise.all([
      inflictAll(plan, world),
      operateAll(plan, { world, clientOf, monitors }),
    ]);
    // Faults can last longer than planned: a busy machine takes its time to start a process.
    const recoveryMs = plan.endMs - plan.quietMs;
    await time.waitUntilElapsed(Math.max(plan.endMs, time.elapsed() + recoveryMs));
    const endedAt = time.now();
    ended.abort();
    await watching;
    log('reading results');
    return {
      plan,
      startedAt,
      endedAt,
      monitors,
      health,
      curves: await measuring,
      faults: [...faults, ...stalls].sort((a, b) => a.from - b.from),
      seen: world.targets.seen,
      received: world.receivers.received,
      ...(await readDump(world, monitors)),
      ...(await readApi(world, { clients, monitors, endpoints })),
      namelessErrors: await findNamelessErrors(world),
    };
  } catch (error) {
    for (const { name, logFile } of new Set([world.launcher, ...world.webs, ...world.workers]))
      log(`${name}:\n${(await readFile(logFile, 'utf8')).slice(-MAX_LOG)}`);
    throw error;
  } finally {
    await world.close();
  }
}

async function addEndpoints(
  plan: Plan,
  { receivers }: World,
  clientOf: ClientOf,
): Promise<Map<string, number>> {
  const endpoints = new Map<string, number>();
  for (const [number, { organization }] of plan.endpoints.entries()) {
    const { body } = await clientOf(organization).request('POST', '/webhooks', {
      url: receivers.urlOf(number),
    });
    endpoints.set((body as { id: string }).id, number);
  }
  return endpoints;
}

async function addMonitor(monitor: MonitorPlan, world: World, clientOf: ClientOf): Promise<WatchedMonitor> {
  const { number, organization, type, interval, timeout, regions } = monitor;
  const { alertThreshold, recoveryThreshold, confirmInterval } = monitor;
  const { status, body } = await clientOf(organization).request('POST', '/monitors', {
    name: `Monitor ${number}`,
    url: world.targets.urlOf(monitor),
    type,
    interval,
    timeout,
    alertThreshold,
    recoveryThreshold,
    confirmInterval,
    regions,
  });
  if (status !== 201) throw new Error(`POST /monitors: ${status} ${JSON.stringify(body)}`);
  return {
    id: (body as { id: string }).id,
    plan: monitor,
    createdAt: world.time.now(),
    deletedAt: null,
    changes: [],
  };
}

async function inflictAll({ faults, quietMs }: Plan, world: World): Promise<FaultSpan[]> {
  const { time } = world;
  const spans: FaultSpan[] = [];
  // One after the other: what a fault does can be seen before the next.
  for (const fault of faults) {
    await time.waitUntilElapsed(fault.atMs);
    if (time.elapsed() > quietMs) break;
    const span = await inflict(world, fault);
    spans.push(span);
    const second = (at: number) => Math.round((at - time.now() + time.elapsed()) / 1000);
    log(`${second(span.from)}–${second(span.to)} s ${span.kind}: ${span.object}`);
  }
  return spans;
}

type Send = (
  client: Client,
  path: string,
  subject: { monitor: WatchedMonitor; at: number },
) => Promise<{ status: number }>;

type Scene = { world: World; clientOf: ClientOf; monitors: WatchedMonitor[] };

async function operateAll({ operations }: Plan, scene: Scene): Promise<void> {
  const { time } = scene.world;
  for (const operation of operations.toSorted((a, b) => a.atMs - b.atMs)) {
    await time.waitUntilElapsed(operation.atMs);
    await operate(operation, scene);
  }
}

const change: Record<Exclude<OperationPlan['kind'], 'create'>, Send> = {
  delete: (client, path) => client.request('DELETE', path),
  pause: (client, path) => client.request('PUT', path, { enabled: false }),
  resume: (client, path) => client.request('PUT', path, { enabled: true }),
  edit: (client, path, { at }) => client.request('PUT', path, { headers: { 'X-Edit': String(at) } }),
  maintenance: (client, _, { monitor, at }) =>
    client.request('POST', '/maintenance', {
      title: 'Maintenance',
      monitors: [monitor.id],
      startsAt: new Date(at).toISOString(),
      endsAt: new Date(at + MAINTENANCE_MS).toISOString(),
    }),
};

async function operate({ kind, pick }: OperationPlan, { world, clientOf, monitors }: Scene): Promise<void> {
  const { time } = world;
  const alive = monitors.filter(({ deletedAt }) => deletedAt === null);
  const monitor = alive[pick % alive.length];
  if (!monitor) return;
  const client = clientOf(monitor.plan.organization);
  const path = `/monitors/${monitor.id}`;
  const from = time.now();
  if (kind === 'create') {
    monitors.push(await addMonitor(monitor.plan, world, clientOf));
    return;
  }
  if (kind === 'delete') monitor.deletedAt = from;
  const { status } = await change[kind](client, path, { monitor, at: from });
  monitor.changes.push({ kind, from, to: time.now(), status });
}

/** Collects the moments in which this machine ran nothing, which no promise covers, until `signal`. */
function watchMachine({ time }: World, signal: AbortSignal): FaultSpan[] {
  const stalls: FaultSpan[] = [];
  const watch = new Worker(pathToFileURL(join(root, 'bench', 'faults', 'machine-watch.mjs')));
  watch.on('message', (ms: number) => {
    const to = time.now();
    stalls.push({
      kind: 'machine stalled',
      object: `for ${Math.round(ms)} ms`,
      from: to - ms * time.factor,
      to,
    });
    log(`the machine stalled for ${Math.round(ms)} ms`);
  });
  signal.addEventListener('abort', () => void watch.terminate());
  return stalls;
}

/** What it reads of `GET /api/health`. */
type HealthBody = { parts?: { name: string; status: string; message: string }[] };

async function watchHealth(
  { webs, time }: World,
  samples: HealthSample[],
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    for (const { name, origin } of webs) {
      const at = time.now();
      const health = await withPatience(1000, async (signal) => {
        const response = await fetch(`${origin}/api/health`, { signal });
        const { parts = [] }: HealthBody = await response.json();
        const down = parts.filter(({ status }) => status === 'down');
        return {
          status: response.status,
          down: down.map(({ name, message }) => `${name}: ${message}`).join('; '),
        };
      }).catch(() => ({ status: null, down: '' }));
      samples.push({ web: name, at, ...health });
    }
    await sleep(HEALTH_MS, undefined, { signal }).catch(() => undefined);
  }
}

/** What an error can be about: an ID, a request, a path, a process or a duty of it, a part of health, or the database. */
const OBJECT =
  /(mon|del|att|whk|evt|inc|org|mnt|sp)_[0-9a-z]+|"(drain|work|job|part|region|app|functionId|requestId|process|path)":|database|PostgreSQL/;

async function findNamelessErrors({ workers, webs, launcher }: World): Promise<string[]> {
  const lines: string[] = [];
  for (const logFile of new Set([launcher, ...workers, ...webs].map((actor) => actor.logFile)))
    for (const line of (await readFile(logFile, 'utf8')).split('\n'))
      if (/^\{"level":(50|60)/.test(line) && !OBJECT.test(line))
        lines.push(`${basename(logFile)}: ${line.replace(/"stack":"(\\.|[^"])*",?/g, '').slice(0, 400)}`);
  return lines;
}
