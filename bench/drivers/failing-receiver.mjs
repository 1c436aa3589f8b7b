// A webhook receiver in a process of its own, `node failing-receiver.mjs N`: refuses the first N tries of every delivery and
// takes the next.
import { createServer } from 'node:http';

const refusals = Number(process.argv[2]);
/** @type {Map<string, number>} */
const seen = new Map();

const server = createServer((request, response) => {
  const id = String(request.headers['x-service-delivery-id']);
  const tries = (seen.get(id) ?? 0) + 1;
  seen.set(id, tries);
  request.resume().once('end', () => response.writeHead(tries > refusals ? 200 : 503).end());
});
server.listen({ host: '127.0.0.1', port: 0, backlog: 1024 }, () => {
  const address = server.address();
  process.send?.({ port: address !== null && typeof address === 'object' ? address.port : 0 });
});

process.on('SIGINT', () => undefined);
process.on('disconnect', () => process.exit());
