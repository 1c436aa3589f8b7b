// A webhook receiver as a separate process: `node receiver.mjs responding` accepts every delivery, `hanging` reads it and
// never responds. Records arrivals, and reports them to its parent on request.
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen } from '../script.mjs';

const hangs = process.argv[2] === 'hanging';

/** @type {{ id: string, at: number, body: string }[]} */
let arrivals = [];
let open = 0;
let maxOpen = 0;

const server = createServer(async (request, response) => {
  const at = performance.timeOrigin + performance.now();
  open += 1;
  maxOpen = Math.max(maxOpen, open);
  response.on('close', () => {
    open -= 1;
  });
  const body = await text(request);
  arrivals.push({ id: String(request.headers['x-service-delivery-id']), at, body });
  if (!hangs) response.writeHead(200).end();
});

process.on('message', (/** @type {'count' | 'take'} */ command) => {
  if (command === 'count') return void process.send?.({ count: arrivals.length, maxOpen });
  const taken = arrivals.map(({ id, at, body }) => ({ id, at, timestamp: JSON.parse(body).timestamp, body }));
  arrivals = [];
  process.send?.({ arrivals: taken });
});
process.send?.({ port: await listen(server) });
