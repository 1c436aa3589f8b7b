// A webhook receiver as a separate process, `node failing-receiver.mjs N`: rejects the first N attempts of every delivery,
// then accepts it.
import { createServer } from 'node:http';

const refusals = Number(process.argv[2]);
/** @type {Map<string, number>} */
const seen = new Map();

const server = createServer((request, response) => {
  const id = String(request.headers['x-service-delivery-id']);
  const attempts = (seen.get(id) ?? 0) + 1;
  seen.set(id, attempts);
  request.resume().once('end', () => response.writeHead(attempts > refusals ? 200 : 503).end());
});
server.listen({ host: '127.0.0.1', port: 0, backlog: 1024 }, () => {
  const address = server.address();
  process.send?.({ port: address !== null && typeof address === 'object' ? address.port : 0 });
});

process.on('SIGINT', () => undefined);
process.on('disconnect', () => process.exit());
