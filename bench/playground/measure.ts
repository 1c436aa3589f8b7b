import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { Agent, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

/** Linux reports process times in hundredths of a second in /proc. */
const TICK_MS = 10;

type Times = { parent: number; own: number; ofEndedChildren: number };

/** CPU time of a process, user and system, in milliseconds. */
export function cpuOfProcess(pid: number): number {
  return readTimes(pid)?.own ?? 0;
}

/** A process of Pharos and its PostgreSQL server. */
export type Pids = { pharos: number; postgres: number };

/** Measures CPU from now on. Returns a function with the milliseconds used since. */
export function startCpuMeter({ pharos, postgres }: Pids): () => Pids {
  const read = () => ({ pharos: cpuOfProcess(pharos), postgres: cpuOfServer(postgres) });
  const before = read();
  return () => {
    const after = read();
    return { pharos: after.pharos - before.pharos, postgres: after.postgres - before.postgres };
  };
}

/** CPU time of a process and its children, including ended ones, in milliseconds: a whole PostgreSQL server. */
export function cpuOfServer(pid: number): number {
  const server = readTimes(pid);
  if (!server) return 0;
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => readTimes(Number(name)))
    .filter((times) => times?.parent === pid);
  return children.reduce((sum, times) => sum + (times?.own ?? 0), server.own + server.ofEndedChildren);
}

/** The last word of the command of a process, such as `worker`; empty if it has ended. */
export function verbOf(pid: number): string {
  return read(`/proc/${pid}/cmdline`).split('\0').at(-2) ?? '';
}

/** Current resident memory of a process in bytes. */
export function residentMemory(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+)/m.exec(read(`/proc/${pid}/status`))?.[1];
  return Number(kilobytes ?? 0) * 1024;
}

function readTimes(pid: number): Times | null {
  const text = read(`/proc/${pid}/stat`);
  // The name, in parentheses, can contain anything; the fields after it are numbered from 3 in proc(5).
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const field = (number: number) => Number(fields[number - 3]);
  if (text === '') return null;
  return {
    parent: field(4),
    own: (field(14) + field(15)) * TICK_MS,
    ofEndedChildren: (field(16) + field(17)) * TICK_MS,
  };
}

/** Empty if the process has ended. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

export type Percentiles = { p50: number; p95: number; p99: number; max: number };

/** Percentiles by nearest rank; NaN without values. */
export function percentiles(values: number[]): Percentiles {
  const sorted = values.toSorted((a, b) => a - b);
  const percentile = (p: number) => sorted[Math.ceil((p / 100) * sorted.length) - 1] ?? Number.NaN;
  return { p50: percentile(50), p95: percentile(95), p99: percentile(99), max: percentile(100) };
}

/** A raw response. */
export type Response = { status: number; rawHeaders: string[]; headers: IncomingHttpHeaders; body: Buffer };

/** Sends a GET with only these headers (`fetch` would set Host and decompress). */
export async function get(
  url: string,
  headers: Record<string, string> = {},
  agent?: Agent,
): Promise<Response> {
  const sent = request(url, { headers, agent }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const { statusCode: status = 0, rawHeaders, headers: own } = response;
  return { status, rawHeaders, headers: own, body: await buffer(response) };
}

/** Per request: CPU in milliseconds, bytes on the wire, and the 99th percentile of response times. */
export type Load = { webMs: number; postgresMs: number; bytes: number; p99: number };

/** Sends `requests` GETs over persistent connections, for at most `seconds`, waits at rate limits, and measures the CPU of a web process and its PostgreSQL. */
export async function load(
  url: string,
  {
    headers = {},
    requests,
    seconds = Infinity,
    pids,
    connections = 8,
  }: {
    headers?: Record<string, string>;
    requests: number;
    seconds?: number;
    pids: Pids;
    connections?: number;
  },
): Promise<Load> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const delays: number[] = [];
  const end = performance.now() + seconds * 1000;
  let sent = 0;
  let bytes = 0;
  const meter = startCpuMeter(pids);
  const work = async () => {
    while (sent < requests && performance.now() < end) {
      sent += 1;
      const begun = performance.now();
      const { status, headers: received, body } = await get(url, headers, agent);
      if (status === 429) {
        sent -= 1;
        await delay(1000 * Number(received['retry-after'] ?? 1));
        continue;
      }
      if (status !== 200) throw new Error(`${url} responded with ${status}`);
      delays.push(performance.now() - begun);
      bytes += body.length;
    }
  };
  await Promise.all(Array.from({ length: connections }, work));
  const { pharos, postgres } = meter();
  agent.destroy();
  return {
    webMs: pharos / sent,
    postgresMs: postgres / sent,
    bytes: bytes / sent,
    p99: percentiles(delays).p99,
  };
}
