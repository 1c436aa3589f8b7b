import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type IncomingHttpHeaders, request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { findFreePort } from '@/lib/core/ports';
import { childEnvironment, VARIABLE_NAMES } from '@/lib/env';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** A whole response; the body as text. */
export type WebResponse = { status: number; headers: IncomingHttpHeaders; body: string };

/** A response that has begun: its text so far, and whether it has ended. */
export type Following = { status: number; text(): string; isOver(): boolean; close(): void };

/** A process of `pharos web`. */
export type WebProcess = {
  url: string;
  pid: number;
  /** Requests a path like a visitor of `host`, by default the address it listens on. */
  get(
    path: string,
    options?: { host?: string; method?: string; headers?: Record<string, string> },
  ): Promise<WebResponse>;
  /** Requests a path with an endless response, and reads it until closed. */
  follow(path: string, options?: { host?: string; headers?: Record<string, string> }): Promise<Following>;
  /** Sends exactly these bytes, and returns the status. */
  sendRaw(bytes: string): Promise<number>;
  logs(): string;
  stop(): Promise<void>;
};

/**
 * Starts a web process and resolves when it is ready; `env` are its only Pharos settings, and `directory` is the installation, by default
 * this one.
 */
export async function startWebProcess(env: Record<string, string>, directory = root): Promise<WebProcess> {
  const port = await findFreePort();
  const unset = Object.fromEntries(VARIABLE_NAMES.map((name) => [name, '']));
  const own = { HOST: '127.0.0.1', PORT: String(port), NODE_ENV: 'production' };
  const child = spawn(process.execPath, [join(directory, 'bin', 'pharos.mjs'), 'web'], {
    cwd: directory,
    env: childEnvironment({ ...unset, ...own, ...env }),
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
    });
  }
  const killAtExit = () => child.kill('SIGKILL');
  process.once('exit', killAtExit);
  await new Promise((resolve, reject) => {
    child.once('message', resolve);
    child.once('exit', () => reject(new Error(`pharos web ended; it wrote:\n${output}`)));
  });
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    get: (path, options = {}) => get(port, path, options),
    follow: (path, options = {}) => follow(port, path, options),
    sendRaw: (bytes) => sendRaw(port, bytes),
    logs: () => output,
    stop: async () => {
      process.off('exit', killAtExit);
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
    },
  };
}

function get(
  port: number,
  path: string,
  {
    host,
    method = 'GET',
    headers = {},
  }: { host?: string; method?: string; headers?: Record<string, string> },
): Promise<WebResponse> {
  return new Promise((resolve, reject) => {
    const all = { ...headers, ...(host === undefined ? {} : { host }) };
    request({ host: '127.0.0.1', port, path, method, headers: all, agent: false }, async (response) => {
      const body = await text(response);
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body });
    })
      .on('error', reject)
      .end();
  });
}

function follow(
  port: number,
  path: string,
  { host, headers = {} }: { host?: string; headers?: Record<string, string> },
): Promise<Following> {
  return new Promise((resolve, reject) => {
    const all = { ...headers, ...(host === undefined ? {} : { host }) };
    const asked = request({ host: '127.0.0.1', port, path, headers: all, agent: false }, (response) => {
      let read = '';
      let isOver = false;
      response.setEncoding('utf8').on('data', (chunk: string) => {
        read += chunk;
      });
      response.on('close', () => {
        isOver = true;
      });
      resolve({
        status: response.statusCode ?? 0,
        text: () => read,
        isOver: () => isOver,
        close: () => asked.destroy(),
      });
    });
    asked.on('error', reject).end();
  });
}

function sendRaw(port: number, bytes: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    socket.setEncoding('utf8').on('error', reject);
    socket.once('data', (data: string) => {
      resolve(Number(/^HTTP\/1\.1 (\d{3}) /.exec(data)?.[1]));
      socket.destroy();
    });
  });
}
