import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, it } from 'vitest';
import { findFreePort } from './ports';

it('finds a free port outside the range of outgoing connections', async () => {
  const port = await findFreePort();
  expect(port).toBeLessThan(32_768);
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  server.close();
});
