// The other side of the benchmark, in a process of its own: HTTP servers that answer 200 with a small body, and one that
// takes connections and never answers. Tells its parent the ports, and ends with it.
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';

/** Several ports, so that closed connections that linger in TIME_WAIT never use up the local ports towards one. */
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

// The terminal's Ctrl-C reaches the whole group; the order of stopping is the parent's.
process.on('SIGINT', () => undefined);
process.on('disconnect', () => process.exit());
process.send?.({ answering, hanging });
