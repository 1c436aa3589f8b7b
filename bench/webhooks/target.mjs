// The target of the monitors: responds 200, or holds every request until told to fail all of them. Reports its port to its
// parent, and ends with it.
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

// Ctrl-C reaches the whole process group; the parent decides the order of stopping.
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
