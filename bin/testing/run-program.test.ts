import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { runProgram } from './run-program.mjs';

it('a program that ends leaves nothing running', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const left = `require('node:net').connect(${port}, '127.0.0.1', () => console.log('connected'))`;
  const program = `
    const { spawn } = require('node:child_process');
    spawn(process.execPath, ['-e', ${JSON.stringify(left)}]).stdout.once('data', () => process.exit(3));`;

  const connected: Promise<Socket[]> = once(server, 'connection');
  expect(await runProgram([process.execPath, '-e', program], { cwd: '/', env: { NODE_ENV: 'test' } })).toBe(
    false,
  );
  const [socket] = await connected;
  await once(socket?.resume() ?? server, 'close');
});
