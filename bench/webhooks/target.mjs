// The target of the monitors: responds 200, or holds every request until it receives `fail`. Reports its port to its parent.
import { createServer } from 'node:http';
import { listen } from '../script.mjs';

/** @type {import('node:http').ServerResponse[]} */
let held = [];
let holds = false;
let status = 200;

const server = createServer((_request, response) => {
  if (!holds) return void response.writeHead(status).end();
  held.push(response);
});

process.on('message', (/** @type {'hold' | 'count' | 'fail'} */ command) => {
  if (command === 'hold') holds = true;
  if (command === 'fail') {
    [holds, status] = [false, 503];
    for (const response of held) response.writeHead(status).end();
    held = [];
  }
  process.send?.({ held: held.length });
});
process.send?.({ port: await listen(server) });
