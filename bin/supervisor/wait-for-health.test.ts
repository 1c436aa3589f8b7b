import { createServer } from 'node:http';
import { expect, it } from 'vitest';
import { listenLocally } from '@/lib/testing/http-listener';
import { waitForHealth } from './wait-for-health';

it('asks under the name of APP_URL, the only one under which the application answers', async () => {
  const asked: (string | undefined)[] = [];
  const listener = await listenLocally(
    createServer(({ headers }, response) => {
      asked.push(headers.host);
      response.writeHead(asked.length < 2 ? 503 : 200).end();
    }),
  );
  await waitForHealth({ HOST: '127.0.0.1', PORT: listener.port, APP_URL: 'https://pharos.test:8443' });
  await waitForHealth({ HOST: '127.0.0.1', PORT: listener.port, APP_URL: undefined });
  await listener.close();
  expect(asked).toEqual(['pharos.test:8443', 'pharos.test:8443', `127.0.0.1:${listener.port}`]);
});
