import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { childEnvironment } from '@/lib/env';
import type { Child } from '../checks/processes';
import type { Answer } from './get';

/** Headers that node writes by itself. */
const OF_THE_CONNECTION = /^(connection|keep-alive|date|transfer-encoding)$/i;

/** Starts a bare node:http server that sends these answers, by path. */
export async function startBareServer(
  root: string,
  answers: Map<string, Answer>,
): Promise<Child & { port: number }> {
  const child = spawn(process.execPath, [join(root, 'bench', 'pages', 'bare-server.mjs')], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  await once(child, 'message');
  child.send(
    [...answers].map(([path, { rawHeaders, body }]) => ({
      path,
      head: keepPairs(rawHeaders),
      body: body.toString('base64'),
    })),
  );
  const [port] = await once(child, 'message');
  return { ...handle(child), port: Number(port) };
}

/** Starts what the build gives without our front: `next start` on the same build. */
export async function startNextAlone(
  root: string,
  environment: Record<string, string>,
  port: number,
): Promise<Child> {
  const next = join(root, 'node_modules', 'next', 'dist', 'bin', 'next');
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, [next, 'start', '-p', String(port), '-H', '127.0.0.1'], {
    cwd: root,
    env: childEnvironment({
      ...environment,
      NODE_ENV: 'production',
      NEXT_TELEMETRY_DISABLED: '1',
      NEXTAUTH_URL: url,
    }),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (chunk) => String(chunk).includes('Ready') && resolve());
    child.once('exit', () => reject(new Error('next start ended before it was ready')));
  });
  return handle(child);
}

function keepPairs(rawHeaders: string[]): string[] {
  return rawHeaders.filter((_, index) => !OF_THE_CONNECTION.test(rawHeaders[index - (index % 2)] ?? ''));
}

function handle(child: ChildProcess): Child {
  process.once('exit', () => child.kill('SIGKILL'));
  return {
    pid: child.pid ?? 0,
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
    },
  };
}
