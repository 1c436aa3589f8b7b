import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Result } from 'autocannon';
import { cpuOfProcess, root } from '../playground';

export const CONNECTIONS = 64;

/** Measurements under load: latencies, and CPU of the server process per request, in milliseconds. */
export type Load = { requests: number; perSecond: number; p50: number; p99: number; cpuMs: number };

/** A URL to load, and the process whose CPU is measured. */
export type Target = { url: string; pid: number; headers?: Record<string, string> };

/** Loads a server for `seconds` over 64 connections from a separate process. Throws if a response is not 2xx. */
export async function load({ url, pid, headers = {} }: Target, seconds: number): Promise<Load> {
  const before = cpuOfProcess(pid);
  const { requests, latency, duration, non2xx, errors } = await runGenerator(url, headers, seconds);
  const cpu = cpuOfProcess(pid) - before;
  if (non2xx + errors > 0) throw new Error(`${url}: ${non2xx} responses were not 2xx, ${errors} errors`);
  const total = Math.max(1, requests.total);
  return {
    requests: requests.total,
    perSecond: requests.total / duration,
    p50: latency.p50,
    p99: latency.p99,
    cpuMs: cpu / total,
  };
}

/** Combines several loads of one server: rates and CPU of all, the median of latencies. */
export function summarize(loads: Load[]): Load {
  const requests = loads.reduce((sum, one) => sum + one.requests, 0);
  const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
  return {
    requests,
    perSecond: loads.reduce((sum, one) => sum + one.perSecond, 0) / loads.length,
    p50: median(loads.map(({ p50 }) => p50)),
    p99: median(loads.map(({ p99 }) => p99)),
    cpuMs: loads.reduce((sum, one) => sum + one.cpuMs * one.requests, 0) / Math.max(1, requests),
  };
}

async function runGenerator(url: string, headers: Record<string, string>, seconds: number): Promise<Result> {
  const program = join(root, 'node_modules', 'autocannon', 'autocannon.js');
  const words = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}=${value}`]);
  const load = ['-j', '-n', '-c', String(CONNECTIONS), '-d', String(seconds)];
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...load, ...words, url]);
  return JSON.parse(stdout);
}
