// The targets of the benchmark: HTTP servers that respond 200 with a small body, and one that accepts connections and never
// responds. Reports its ports to its parent.
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import { listen } from '../script.mjs';

/** Several ports, so that connections in TIME_WAIT do not exhaust local ports. */
const RESPONDING = 4;

const responding = await Promise.all(
  Array.from({ length: RESPONDING }, () =>
    listen(createHttpServer((_request, response) => response.end('everything is well\n'))),
  ),
);
const hanging = await listen(createServer((socket) => socket.on('error', () => undefined).resume()));
process.send?.({ responding, hanging });
