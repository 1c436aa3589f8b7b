// A webhook receiver as a separate process: `node receiver.mjs answering` accepts every delivery, `hanging` reads it and
// never responds. Records arrivals, and reports them to its parent on request.
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';

const hangs = process.argv[2] === 'hanging';

/** @type {{ id: string, at: number, body: string }[]} */
let arrivals = [];
let open = 0;
let mostOpen = 0;

const server = createServer(async (request, response) => {
  const at = performance.timeOrigin + performance.now();
  open += 1;
  mostOpen = Math.max(mostOpen, open);
  response.on('close', () => {
    open -= 1;
  });
  const body = await text(request);
  arrivals.push({ id: String(request.headers['x-service-delivery-id']), at, body });
  if (!hangs) response.writeHead(200).end();
});
server.listen({ host: '127.0.0.1', port: 0, backlog: 4096 }, () => {
  const address = server.address();
  process.send?.({ port: address !== null && typeof address === 'object' ? address.port : 0 });
});

process.on('SIGINT', () => undefined);
process.on('disconnect', () => process.exit());
process.on('message', (/** @type {'count' | 'take'} */ wish) => {
  if (wish === 'count') return void process.send?.({ count: arrivals.length, mostOpen });
  const taken = arrivals.map(({ id, at, body }) => ({ id, at, timestamp: JSON.parse(body).timestamp, body }));
  arrivals = [];
  process.send?.({ arrivals: taken });
});
