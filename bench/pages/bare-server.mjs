// The reference for cached responses: a bare HTTP server that sends responses from memory. Receives them from its parent,
// and reports its port.
import { createServer } from 'node:http';
import { listen } from '../script.mjs';

/** @typedef {{ path: string, head: string[], body: string }} StoredResponse */

process.once('message', async (message) => {
  const stored = /** @type {StoredResponse[]} */ (message);
  const responses = new Map(
    stored.map(({ path, head, body }) => [path, { head, body: Buffer.from(body, 'base64') }]),
  );
  const server = createServer((request, response) => {
    const found = responses.get(request.url ?? '');
    if (found) response.writeHead(200, found.head).end(found.body);
    else response.writeHead(404).end();
  });
  process.send?.(await listen(server));
});
process.send?.('ready');
