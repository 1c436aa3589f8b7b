// The second reference: posts the same bodies with plain node:http, five at a time to each receiver, and reports duration
// and CPU. `keepAlive` decides whether connections are reused.
import { Agent, request } from 'node:http';
import '../script.mjs';

const CONCURRENCY = 5;

/**
 * @param {string} url
 * @param {string} body
 * @param {Agent} agent
 * @returns {Promise<void>}
 */
function post(url, body, agent) {
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    request(url, { method: 'POST', headers, agent }, (response) => response.resume().on('end', resolve))
      .on('error', reject)
      .end(body);
  });
}

/** @param {{ urls: string[], bodies: string[], keepAlive: boolean }} message */
async function postAll({ urls, bodies, keepAlive }) {
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  await Promise.all(
    urls.map(async (url) => {
      const agent = new Agent({ keepAlive });
      const remaining = bodies.values();
      const work = async () => {
        for (const body of remaining) await post(url, body, agent);
      };
      await Promise.all(Array.from({ length: CONCURRENCY }, work));
      agent.destroy();
    }),
  );
  const cpu = process.cpuUsage(cpuBefore);
  process.send?.({ seconds: (performance.now() - startedAt) / 1000, cpuMs: (cpu.user + cpu.system) / 1000 });
}

process.on('message', postAll);
process.send?.('ready');
