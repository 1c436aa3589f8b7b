import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { z } from 'zod';
import { findFreePort } from '@/lib/core/ports';
import { childEnvironment } from '@/lib/env';
import { type BenchServer, everyMinute, MINUTE } from './server';

const START_MS = 30_000;
/** Delay before counting the runs of a minute, because they are recorded shortly after they begin. */
const COUNT_AFTER_MS = 10_000;
const KEYS = { INNGEST_EVENT_KEY: 'e7e7', INNGEST_SIGNING_KEY: 'ab'.repeat(32) };
const counted = z.object({ data: z.object({ runs: z.object({ totalCount: z.number() }) }) });

/** A self-hosted Inngest with its state in memory and `directory`, which `wipe` deletes. Throws if it does not start. */
export async function startRealServer(binary: string, directory: string): Promise<BenchServer> {
  const folder = join(directory, 'inngest');
  const [port, gateway, gatewayGrpc, executorGrpc] = await Promise.all(
    Array.from({ length: 4 }, () => findFreePort()),
  );
  const url = `http://127.0.0.1:${port}`;
  const args = [
    ['--host', '127.0.0.1'],
    ['--port', port],
    ['--connect-gateway-port', gateway],
    ['--connect-gateway-grpc-port', gatewayGrpc],
    ['--connect-executor-grpc-port', executorGrpc],
    ['--sqlite-dir', folder],
    ['--log-level', 'error'],
  ];
  let child: ChildProcess | null = null;
  const begin = async () => {
    await mkdir(folder, { recursive: true });
    const started = spawn(binary, ['start', ...args.flat().map(String)], {
      env: childEnvironment(KEYS),
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    child = started;
    process.once('exit', () => started.kill('SIGKILL'));
    await waitForHealth(url, started);
  };
  const end = async () => {
    if (child === null || child.exitCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
    child = null;
    await rm(folder, { recursive: true, force: true });
  };
  await begin();
  return {
    settings: { ...KEYS, INNGEST_BASE_URL: url },
    name: await versionOf(binary),
    wipe: end,
    comeBack: begin,
    countRuns: () => {
      const counts: Promise<number>[] = [];
      const stop = everyMinute(() => {
        const until = Math.floor(Date.now() / MINUTE) * MINUTE;
        counts.push(countRunsOf(url, new Date(until - MINUTE), new Date(until)));
      }, COUNT_AFTER_MS);
      return {
        stop: async () => {
          stop();
          return Math.max(...(await Promise.all(counts)));
        },
      };
    },
  };
}

async function waitForHealth(url: string, child: ChildProcess): Promise<void> {
  const until = Date.now() + START_MS;
  while (Date.now() < until && child.exitCode === null) {
    const response = await fetch(`${url}/health`).catch(() => null);
    if (response?.ok) return;
    await delay(100);
  }
  throw new Error('the Inngest server did not start; see the lines above');
}

async function versionOf(binary: string): Promise<string> {
  const { stdout } = await promisify(execFile)(binary, ['version']);
  return `Inngest ${stdout.trim().split('\n')[0]}, self-hosted`;
}

/** The number of runs that began in a period; 0 while the server is down. */
async function countRunsOf(url: string, from: Date, until: Date): Promise<number> {
  const filter = `{from: "${from.toISOString()}", until: "${until.toISOString()}", timeField: QUEUED_AT}`;
  const order = '[{field: QUEUED_AT, direction: DESC}]';
  const query = `query { runs(first: 1, filter: ${filter}, orderBy: ${order}) { totalCount } }`;
  try {
    const response = await fetch(`${url}/v0/gql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    });
    return counted.parse(await response.json()).data.runs.totalCount;
  } catch {
    return 0;
  }
}
