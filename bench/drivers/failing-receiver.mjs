// A webhook receiver as a separate process, `node failing-receiver.mjs N`: rejects the first N attempts of every delivery,
// then accepts it.
import { createServer } from 'node:http';
import { listen } from '../script.mjs';

const rejections = Number(process.argv[2]);
/** @type {Map<string, number>} */
const seen = new Map();

const server = createServer((request, response) => {
  const id = String(request.headers['x-service-delivery-id']);
  const attempts = (seen.get(id) ?? 0) + 1;
  seen.set(id, attempts);
  request.resume().once('end', () => response.writeHead(attempts > rejections ? 200 : 503).end());
});
process.send?.({ port: await listen(server) });
