import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client as Database } from 'pg';
import { log } from '../playground';
import { type Client, createClient } from './client';
import { type FaultSpan, inflict } from './faults';
import type { HealthSample, Observations, StoredResult, WatchedMonitor } from './observations';
import { type MonitorPlan, type OperationPlan, type Plan, REGIONS } from './plan';
import { startWorld, type World } from './world';

/** Milliseconds of real time between two looks at the health of each web process. */
const HEALTH_MS = 250;
/** How long after a change of a monitor its schedule may be irregular, in virtual milliseconds. */
const SETTLE_MS = 90_000;

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
    const monitors: WatchedMonitor[] = [];
    const startedAt = time.begin();
    for (const monitor of plan.monitors) monitors.push(await addMonitor(monitor, world, clientOf));
    log(`${monitors.length} monitors are checked`);

    const ended = new AbortController();
    const health: HealthSample[] = [];
    const watching = watchHealth(world, health, ended.signal);
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
      ...{ plan, startedAt, endedAt, monitors, faults, health },
      seen: world.targets.seen,
      received: world.receivers.received,
      ...(await readDump(world, monitors)),
      ...(await readApi(clients, { clientOf, monitors, endpoints })),
      namelessErrors: await findNamelessErrors(world),
    };
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
  const { number, organization, type, interval, timeout, alertThreshold, recoveryThreshold, regions } =
    monitor;
  const { status, body } = await clientOf(organization).request('POST', '/monitors', {
    name: `Monitor ${number}`,
    url: world.targets.urlOf(monitor),
    ...{ type, interval, timeout, alertThreshold, recoveryThreshold, regions },
  });
  if (status !== 201) throw new Error(`POST /monitors: ${status} ${JSON.stringify(body)}`);
  return {
    id: (body as { id: string }).id,
    plan: monitor,
    createdAt: world.time.now(),
    deletedAt: null,
    touched: [],
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

type Scene = { world: World; clientOf: ClientOf; monitors: WatchedMonitor[] };

async function operateAll({ operations }: Plan, scene: Scene): Promise<void> {
  const { time } = scene.world;
  for (const operation of operations.toSorted((a, b) => a.atMs - b.atMs)) {
    await time.waitUntilElapsed(operation.atMs);
    await operate(operation, scene);
  }
}

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
  if (kind === 'delete') {
    monitor.deletedAt = from;
    await client.request('DELETE', path);
    return;
  }
  if (kind === 'pause') await client.request('PUT', path, { enabled: false });
  if (kind === 'resume') await client.request('PUT', path, { enabled: true });
  if (kind === 'edit') await client.request('PUT', path, { headers: { 'X-Edit': String(pick) } });
  const length = kind === 'maintenance' ? 120_000 : 0;
  if (kind === 'maintenance')
    await client.request('POST', '/maintenance', {
      title: 'Maintenance',
      monitors: [monitor.id],
      startsAt: new Date(time.now()).toISOString(),
      endsAt: new Date(time.now() + length).toISOString(),
    });
  // A paused monitor is not looked at again before it is resumed.
  const to = kind === 'pause' ? Number.POSITIVE_INFINITY : time.now() + length + SETTLE_MS;
  monitor.touched.push({ from, to });
}

async function watchHealth(
  { webs, time }: World,
  samples: HealthSample[],
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    for (const { name, origin } of webs) {
      const at = time.now();
      const status = await fetch(`${origin}/api/health`, { signal: AbortSignal.timeout(1000) }).then(
        (response) => response.status,
        () => null,
      );
      samples.push({ web: name, at, status });
    }
    await sleep(HEALTH_MS, undefined, { signal }).catch(() => undefined);
  }
}

type Dump = Pick<Observations, 'results' | 'phases'>;

const OUTCOMES = ['ok', 'failed', 'unknown'] as const;

/** Reads the stored results as an operator would with psql. */
async function readDump({ directUrl }: World, monitors: WatchedMonitor[]): Promise<Dump> {
  const client = new Database({ connectionString: directUrl });
  await client.connect();
  try {
    const results = await client.query(`
      SELECT monitor.id, region, (extract(epoch FROM checked_at) * 1000)::float8 AS at, outcome, response_time, error_code
        FROM raw.check_result JOIN monitor ON monitor.number = check_result.monitor
       ORDER BY checked_at`);
    const phases = await client.query('SELECT monitor_id, region, phase FROM probe_schedule');
    const known = new Set(monitors.map(({ id }) => id));
    return {
      results: results.rows
        .filter(({ id }) => known.has(id))
        .map(
          (row): StoredResult => ({
            monitorId: row.id,
            region: REGIONS[row.region - 1] ?? 'us-east',
            checkedAt: row.at,
            outcome: OUTCOMES[row.outcome as number] ?? 'unknown',
            responseTime: row.response_time,
            errorCode: row.error_code,
          }),
        ),
      phases: Object.fromEntries(
        phases.rows.map(({ monitor_id, region, phase }) => [`${monitor_id} ${region}`, Number(phase)]),
      ),
    };
  } finally {
    await client.end();
  }
}

type Shown = Pick<Observations, 'uptimes' | 'transitions' | 'deliveries'>;

const moment = (text: unknown) => Date.parse(String(text));

async function readApi(
  clients: Client[],
  {
    clientOf,
    monitors,
    endpoints,
  }: { clientOf: ClientOf; monitors: WatchedMonitor[]; endpoints: Map<string, number> },
): Promise<Shown> {
  const shown: Shown = { uptimes: {}, transitions: [], deliveries: [] };
  for (const client of clients) {
    for (const { id, uptimePercentage } of await client.list('/monitors'))
      shown.uptimes[String(id)] = Number(uptimePercentage);
    for (const row of await client.list('/deliveries?limit=100'))
      shown.deliveries.push({
        id: String(row.id),
        endpoint: endpoints.get(String(row.webhookId)) ?? -1,
        event: String(row.event),
        status: String(row.status),
        createdAt: moment(row.createdAt),
        attempts: Number(row.attempts),
      });
  }
  for (const { id, plan, deletedAt } of monitors) {
    if (deletedAt !== null) continue;
    for (const row of await clientOf(plan.organization).list(`/monitors/${id}/transitions?limit=100`))
      shown.transitions.push({
        monitorId: id,
        from: row.from === null ? null : String(row.from),
        to: String(row.to),
        at: moment(row.at),
        decidedAt: moment(row.decidedAt),
        endedAt: row.endedAt === null ? null : moment(row.endedAt),
      });
  }
  return shown;
}

/** What an error can be about: an ID, a part of the process or of health, or the database. */
const OBJECT =
  /(mon|del|att|whk|evt|inc|org|mnt|sp)_[0-9a-z]+|"(drain|work|part|region)":|database|PostgreSQL/;

async function findNamelessErrors({ workers, webs }: World): Promise<string[]> {
  const lines: string[] = [];
  for (const { name, logFile } of [...workers, ...webs])
    for (const line of (await readFile(logFile, 'utf8')).split('\n'))
      if (/^\{"level":(50|60)/.test(line) && !OBJECT.test(line)) lines.push(`${name}: ${line.slice(0, 300)}`);
  return lines;
}
