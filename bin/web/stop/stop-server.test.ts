import { once } from 'node:events';
import {
  Agent,
  createServer,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type HttpListener, listenLocally } from '@/lib/testing/http-listener';
import { stopServer } from './stop-server';

const held: ServerResponse[] = [];
let agent: Agent;
let server: Server;
let listener: HttpListener;

async function listen(): Promise<void> {
  server = createServer((incoming, response) => {
    if (incoming.url === '/held') held.push(response);
    else response.end('done');
  });
  listener = await listenLocally(server);
}

beforeEach(async () => {
  held.length = 0;
  agent = new Agent({ keepAlive: true });
  await listen();
});
afterEach(() => {
  agent.destroy();
  server.closeAllConnections();
});

async function ask(path: string): Promise<{ status: number | undefined; connection: string | undefined }> {
  const outgoing = request(`${listener.url}${path}`, { agent }).end();
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
  await text(incoming);
  return { status: incoming.statusCode, connection: incoming.headers.connection };
}

it('a kept connection gets one more response, which ends it', async () => {
  expect((await ask('/')).connection).toBe('keep-alive');
  const stopped = stopServer(server, { leaveMs: 10_000 });
  expect(await ask('/')).toEqual({ status: 200, connection: 'close' });
  await stopped;
  await expect(ask('/')).rejects.toThrow('ECONNREFUSED');
});

it('without connections it ends at once, and idle ones do not hold it up', async () => {
  await stopServer(server, { leaveMs: 60_000 });
  await listen();
  await ask('/');
  await stopServer(server, { leaveMs: 0, finishMs: 60_000 });
});

it('a request that runs longer than that is finished, and its connection closed', async () => {
  const asked = ask('/held');
  await expect.poll(() => held.length).toBe(1);
  const stopped = stopServer(server, { leaveMs: 0, finishMs: 60_000 });
  held[0]?.end('late');
  expect((await asked).status).toBe(200);
  await stopped;
});

it('a request that does not end is ended', async () => {
  const asked = ask('/held').catch((error: Error) => error.message);
  await expect.poll(() => held.length).toBe(1);
  await stopServer(server, { leaveMs: 0, finishMs: 50 });
  expect(await asked).toBe('socket hang up');
});
