import { renameSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';

/**
 * Loaded into the web process of a test (`--import …?port-file=…`): a server that returns, for the time since the previous request and in
 * milliseconds, the CPU of this process and the longest time that it blocked its event loop. Time in which other programs had the
 * processor does not count: it was blocked at most for as long as the process was computing.
 */
const portFile = new URL(import.meta.url).searchParams.get('port-file');
if (portFile !== null && process.argv.includes('web')) {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  let before = process.cpuUsage();
  const server = createServer((_, response) => {
    const { user, system } = process.cpuUsage(before);
    const cpuMs = (user + system) / 1000;
    response.end(JSON.stringify({ blockedMs: Math.min(delay.max / 1e6, cpuMs), cpuMs }));
    before = process.cpuUsage();
    delay.reset();
  });
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    writeFileSync(`${portFile}.new`, String(typeof address === 'object' ? address?.port : ''));
    renameSync(`${portFile}.new`, portFile);
  });
  server.unref();
}
