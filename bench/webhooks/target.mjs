// What the monitors watch, in a process of its own: answers 200, or holds every request until it is told to fail them all
// at once. Tells its parent the port, and ends with it.
import { createServer } from 'node:http';

/** @type {import('node:http').ServerResponse[]} */
let held = [];
let holds = false;
let status = 200;

const server = createServer((_request, response) => {
  if (!holds) return void response.writeHead(status).end();
  held.push(response);
});
server.listen({ host: '127.0.0.1', port: 0, backlog: 4096 }, () => {
  const address = server.address();
  process.send?.({ port: address !== null && typeof address === 'object' ? address.port : 0 });
});

// The terminal's Ctrl-C reaches the whole group; the order of stopping is the parent's.
process.on('SIGINT', () => undefined);
process.on('disconnect', () => process.exit());
process.on('message', (/** @type {'hold' | 'count' | 'fail'} */ wish) => {
  if (wish === 'hold') holds = true;
  if (wish === 'fail') {
    [holds, status] = [false, 503];
    for (const response of held) response.writeHead(status).end();
    held = [];
  }
  process.send?.({ held: held.length });
});
