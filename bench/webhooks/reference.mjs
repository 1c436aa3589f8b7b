// The second reference: posts the same bodies with plain node:http, five at a time to each receiver, and reports duration
// and CPU. `keepAlive` decides whether connections are reused.
import { Agent, request } from 'node:http';

const AT_ONCE = 5;

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

process.on('SIGINT', () => undefined);
process.on('disconnect', () => process.exit());
process.on(
  'message',
  async (
    /** @type {{ urls: string[], bodies: string[], keepAlive: boolean }} */ { urls, bodies, keepAlive },
  ) => {
    const cpuBefore = process.cpuUsage();
    const begun = performance.now();
    await Promise.all(
      urls.map(async (url) => {
        const agent = new Agent({ keepAlive });
        const left = bodies.values();
        const work = async () => {
          for (const body of left) await post(url, body, agent);
        };
        await Promise.all(Array.from({ length: AT_ONCE }, work));
        agent.destroy();
      }),
    );
    const cpu = process.cpuUsage(cpuBefore);
    process.send?.({ seconds: (performance.now() - begun) / 1000, cpuMs: (cpu.user + cpu.system) / 1000 });
  },
);
process.send?.('ready');
