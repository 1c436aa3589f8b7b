import { Agent, request } from 'node:http';
import { cpuOfProcess } from '../checks/proc';

const AT_ONCE = 8;

export type Load = { requests: number; cpuMs: number; bytes: number; seconds: number };

/** Sends `requests` GETs over eight kept connections, and reads what CPU the process `pid` used for them. */
export async function load(
  url: string,
  { headers, requests, pid }: { headers: Record<string, string>; requests: number; pid: number },
): Promise<Load> {
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  let left = requests;
  let bytes = 0;
  const cpuBefore = cpuOfProcess(pid);
  const begun = performance.now();
  const work = async () => {
    while (left > 0) {
      left -= 1;
      const received = await get(url, headers, agent);
      bytes += received;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const seconds = (performance.now() - begun) / 1000;
  agent.destroy();
  return { requests, cpuMs: (cpuOfProcess(pid) - cpuBefore) / requests, bytes: bytes / requests, seconds };
}

function get(url: string, headers: Record<string, string>, agent: Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    request(url, { headers, agent }, (response) => {
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
      });
      response.on('end', () => {
        if (response.statusCode === 200) resolve(bytes);
        else reject(new Error(`${url} answered ${response.statusCode}`));
      });
    })
      .on('error', reject)
      .end();
  });
}
