import { renameSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';

/**
 * Loaded into the web process of a test (`--import …?port-file=…`): a server that returns the longest time in milliseconds
 * that the event loop was blocked since the previous request.
 */
const portFile = new URL(import.meta.url).searchParams.get('port-file');
if (portFile !== null && process.argv.includes('web')) {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const server = createServer((_, response) => {
    const blocked = delay.max / 1e6;
    delay.reset();
    response.end(String(blocked));
  });
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    writeFileSync(`${portFile}.new`, String(typeof address === 'object' ? address?.port : ''));
    renameSync(`${portFile}.new`, portFile);
  });
  server.unref();
}
