// The targets of the benchmark: HTTP servers that respond 200 with a small body, and one that accepts connections and never
// responds. Reports its ports to its parent, and ends with it.
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';

/** Several ports, so that connections in TIME_WAIT do not exhaust local ports. */
const ANSWERING = 4;

/**
 * @param {import('node:net').Server} server
 * @returns {Promise<number>} the port
 */
function listen(server) {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: '127.0.0.1', port: 0, backlog: 4096 }, () => {
      const address = server.address();
      resolve(address !== null && typeof address === 'object' ? address.port : 0);
    });
  });
}

const answering = await Promise.all(
  Array.from({ length: ANSWERING }, () =>
    listen(createHttpServer((_request, response) => response.end('everything is well\n'))),
  ),
);
const hanging = await listen(createServer((socket) => socket.on('error', () => undefined).resume()));

// Ctrl-C reaches the whole process group; the parent decides the order of stopping.
process.on('SIGINT', () => undefined);
process.on('disconnect', () => process.exit());
process.send?.({ answering, hanging });
