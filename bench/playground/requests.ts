import { startBareNext } from './bare-next';
import { log } from './environment';
import { type Load, load } from './measure';
import { type Child, startProcess } from './processes';
import { count, type Limit, markdownTable } from './report';

/** A request to measure; limits are multiples of what the bare Next route takes. */
export type Request = {
  name: string;
  url: string;
  headers: Record<string, string>;
  requests: number;
  webAtMost?: number;
  postgresAtMost?: number;
};

/** A request as measured: alone, what the bare Next route took at the same time, and with 32 clients together. */
export type Measured = Request & { alone: Load; bareMs: number; together: Load };

const CLIENTS = 32;

/** V8 optimizes code while it runs, for thousands of requests: each is measured when it is as warm as a bare route that was just started. */
export const WARM_UP = { requests: 1000, seconds: 15 };

/** Requests and the bare route are measured in turns, because the machine is not equally fast all the time. */
export const TURNS = 3;
const BARE_REQUESTS = 300;

/** Measures requests to a warm web process one after the other, compared with a bare Next route. */
export async function measureRequests(
  environment: Record<string, string>,
  postgres: number,
  requests: readonly Request[],
): Promise<{ measured: Measured[]; web: Child }> {
  const web = await startProcess('web', environment);
  const measured: Measured[] = [];
  for (const request of requests) {
    log(request.name);
    const bare = await startWarmBareNext(postgres);
    const { url, headers } = request;
    const options = { headers, pids: { pharos: web.pid, postgres } };
    await load(url, { ...options, ...WARM_UP });
    const loads: Load[] = [];
    const bareMs: number[] = [];
    for (let turn = 0; turn < TURNS; turn += 1) {
      bareMs.push(await bare.measure());
      loads.push(
        await load(url, { ...options, requests: Math.ceil(request.requests / TURNS), connections: 1 }),
      );
    }
    await bare.stop();
    const together = await load(url, {
      ...options,
      requests: Math.max(CLIENTS, request.requests),
      connections: CLIENTS,
    });
    measured.push({ ...request, alone: average(loads), bareMs: mean(bareMs), together });
  }
  return { measured, web };
}

/** Starts a bare Next route and warms it up. `measure` resolves to CPU milliseconds per request. */
export async function startWarmBareNext(postgres: number) {
  const { url, pid, stop } = await startBareNext();
  const pids = { pharos: pid, postgres };
  await load(url, { pids, ...WARM_UP });
  const measure = async () => (await load(url, { pids, requests: BARE_REQUESTS, connections: 1 })).webMs;
  return { measure, stop };
}

/** The average of loads with equally many requests. */
function average(loads: readonly Load[]): Load {
  return {
    webMs: mean(loads.map(({ webMs }) => webMs)),
    postgresMs: mean(loads.map(({ postgresMs }) => postgresMs)),
    bytes: mean(loads.map(({ bytes }) => bytes)),
    p99: Math.max(...loads.map(({ p99 }) => p99)),
  };
}

/** The arithmetic mean. */
export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The limits of requests. */
export function limitsOf({ measured }: { measured: readonly Measured[] }): Limit[] {
  return measured.flatMap(({ name, alone, bareMs, webAtMost, postgresAtMost }) => [
    ...limit(`${name}: web, × bare route`, alone.webMs / bareMs, webAtMost),
    ...limit(`${name}: PostgreSQL, × bare route`, alone.postgresMs / bareMs, postgresAtMost),
  ]);
}

function limit(name: string, value: number, atMost: number | undefined): Limit[] {
  return atMost === undefined ? [] : [{ name, value, atMost }];
}

/** A table of requests in Markdown. */
export function formatRequests({ measured }: { measured: readonly Measured[] }): string {
  const times = (ratio: number, atMost?: number) => {
    const limit = atMost === undefined ? '' : ` (at most ${atMost})`;
    return `${ratio.toFixed(1)}${limit}`;
  };
  const head = [
    '',
    'bytes',
    'web ms',
    'PostgreSQL ms',
    'bare ms',
    'web × bare',
    'PostgreSQL × bare',
    'p99 ms, 32 clients',
  ];
  const rows = measured.map(({ name, alone, bareMs, together, webAtMost, postgresAtMost }) => [
    name,
    count(alone.bytes),
    alone.webMs.toFixed(2),
    alone.postgresMs.toFixed(2),
    bareMs.toFixed(2),
    times(alone.webMs / bareMs, webAtMost),
    times(alone.postgresMs / bareMs, postgresAtMost),
    count(together.p99),
  ]);
  return markdownTable(head, rows);
}
