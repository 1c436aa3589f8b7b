// Shared by the scripts that benchmarks run as separate processes. They end with their parent.
import { once } from 'node:events';

// Ctrl-C reaches the whole process group; the parent decides the order of stopping.
process.on('SIGINT', () => undefined);
process.on('disconnect', () => process.exit());

/**
 * Listens on a free port and returns it.
 * @param {import('node:net').Server} server
 */
export async function listen(server) {
  server.listen({ host: '127.0.0.1', port: 0, backlog: 4096 });
  await once(server, 'listening');
  const address = server.address();
  return address !== null && typeof address === 'object' ? address.port : 0;
}
