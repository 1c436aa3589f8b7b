// The reference for cached responses: a bare HTTP server that sends responses from memory. Receives them from its parent,
// reports its port, and ends with it.
import { createServer } from 'node:http';

/** @typedef {{ path: string, head: string[], body: string }} StoredResponse */

process.on('SIGINT', () => undefined);
process.on('disconnect', () => process.exit());
process.once('message', (message) => {
  const stored = /** @type {StoredResponse[]} */ (message);
  const responses = new Map(
    stored.map(({ path, head, body }) => [path, { head, body: Buffer.from(body, 'base64') }]),
  );
  const server = createServer((request, response) => {
    const found = responses.get(request.url ?? '');
    if (found) response.writeHead(200, found.head).end(found.body);
    else response.writeHead(404).end();
  });
  server.listen({ host: '127.0.0.1', port: 0 }, () => {
    const address = server.address();
    process.send?.(address !== null && typeof address === 'object' ? address.port : 0);
  });
});
process.send?.('ready');
