import { startBareNext } from './bare-next';
import { log } from './environment';
import { type Load, load, type Pids } from './measure';
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

/** A request as measured: alone, and with 32 clients at the same time. */
export type Measured = Request & { alone: Load; together: Load };

const CLIENTS = 32;

/** V8 optimizes code while it runs: before this many requests, a page takes a quarter more. Pages are as warm as the bare route, or nearly. */
const WARM_UP = { requests: 1000, seconds: 15 };

/** Measures requests to a warm web process one after the other, and what the bare Next route takes before and after. */
export async function measureRequests(
  environment: Record<string, string>,
  postgres: number,
  requests: readonly Request[],
): Promise<{ bareMs: number; measured: Measured[]; web: Child }> {
  const web = await startProcess('web', environment);
  const pids: Pids = { pharos: web.pid, postgres };
  const before = await measureBareNext(postgres);
  const measured: Measured[] = [];
  for (const request of requests) {
    log(request.name);
    const options = { headers: request.headers, pids };
    await load(request.url, { ...options, ...WARM_UP });
    const alone = await load(request.url, { ...options, requests: request.requests, connections: 1 });
    const together = await load(request.url, {
      ...options,
      requests: Math.max(CLIENTS, request.requests),
      connections: CLIENTS,
    });
    measured.push({ ...request, alone, together });
  }
  const after = await measureBareNext(postgres);
  return { bareMs: (before + after) / 2, measured, web };
}

/** CPU milliseconds per request of a bare Next route. */
export async function measureBareNext(postgres: number): Promise<number> {
  log('a bare Next route');
  const bare = await startBareNext();
  const options = { pids: { pharos: bare.pid, postgres } };
  await load(bare.url, { ...options, ...WARM_UP });
  const { webMs } = await load(bare.url, { ...options, requests: 1000, connections: 1 });
  await bare.stop();
  return webMs;
}

/** The limits of requests. */
export function limitsOf({ bareMs, measured }: { bareMs: number; measured: readonly Measured[] }): Limit[] {
  return measured.flatMap(({ name, alone, webAtMost, postgresAtMost }) => [
    ...limit(`${name}: web, × bare route`, alone.webMs / bareMs, webAtMost),
    ...limit(`${name}: PostgreSQL, × bare route`, alone.postgresMs / bareMs, postgresAtMost),
  ]);
}

function limit(name: string, value: number, atMost: number | undefined): Limit[] {
  return atMost === undefined ? [] : [{ name, value, atMost }];
}

/** A table of requests in Markdown. */
export function formatRequests({
  bareMs,
  measured,
}: {
  bareMs: number;
  measured: readonly Measured[];
}): string {
  const times = (ms: number, atMost?: number) => {
    const limit = atMost === undefined ? '' : ` (at most ${atMost})`;
    return `${(ms / bareMs).toFixed(1)}${limit}`;
  };
  const head = [
    '',
    'bytes',
    'web ms',
    'PostgreSQL ms',
    'web × bare',
    'PostgreSQL × bare',
    'p99 ms, 32 clients',
  ];
  const rows = measured.map(({ name, alone, together, webAtMost, postgresAtMost }) => [
    name,
    count(alone.bytes),
    alone.webMs.toFixed(2),
    alone.postgresMs.toFixed(2),
    times(alone.webMs, webAtMost),
    times(alone.postgresMs, postgresAtMost),
    count(together.p99),
  ]);
  return `${markdownTable(head, rows)}\n\nThe bare Next route took ${bareMs.toFixed(2)} ms.`;
}
