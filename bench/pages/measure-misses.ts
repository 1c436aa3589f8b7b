import { Agent } from 'node:http';
import { cpuOfProcess, cpuOfServer } from '../checks/proc';
import { get } from './get';

/** CPU in milliseconds of what it takes to make one answer anew. */
export type Misses = { requests: number; webMs: number; postgresMs: number };

/**
 * Asks one after the other for what is not kept: each for another host and on behalf of another visitor, since the address
 * is part of what an answer is kept under.
 */
export async function measureMisses(
  { origin, path }: { origin: string; path: string },
  pids: { web: number; postgres: number },
  requests: number,
): Promise<Misses> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ask = async (name: string, number: number) => {
    const visitor = `198.51.100.${number % 250}`;
    const headers = { Host: `${name}-${number}.example.com`, 'X-Forwarded-For': visitor };
    const { status } = await get(origin + path, { ...headers, 'Accept-Encoding': 'gzip' }, agent);
    if (status !== 200) throw new Error(`${path} answered ${status}`);
  };
  const kind = path.startsWith('/api/') ? 'json' : 'html';
  for (let number = 0; number < requests; number += 1) await ask(`warm-${kind}`, number);
  const [web, postgres] = [cpuOfProcess(pids.web), cpuOfServer(pids.postgres)];
  for (let number = 0; number < requests; number += 1) await ask(kind, number);
  const webMs = (cpuOfProcess(pids.web) - web) / requests;
  const postgresMs = (cpuOfServer(pids.postgres) - postgres) / requests;
  agent.destroy();
  return { requests, webMs, postgresMs };
}
