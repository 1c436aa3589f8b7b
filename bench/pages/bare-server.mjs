// What a cached answer is compared with: a bare HTTP server that sends answers from memory, in a process of its own. Is
// told the answers by its parent, tells it the port, and ends with it.
import { createServer } from 'node:http';

/** @typedef {{ path: string, head: string[], body: string }} Answer */

process.on('SIGINT', () => undefined);
process.on('disconnect', () => process.exit());
process.once('message', (message) => {
  const told = /** @type {Answer[]} */ (message);
  const answers = new Map(
    told.map(({ path, head, body }) => [path, { head, body: Buffer.from(body, 'base64') }]),
  );
  const server = createServer((request, response) => {
    const answer = answers.get(request.url ?? '');
    if (answer) response.writeHead(200, answer.head).end(answer.body);
    else response.writeHead(404).end();
  });
  server.listen({ host: '127.0.0.1', port: 0 }, () => {
    const address = server.address();
    process.send?.(address !== null && typeof address === 'object' ? address.port : 0);
  });
});
process.send?.('ready');
