import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { childEnvironment } from '@/lib/env';

/** A Next application of one route handler that sends the bytes of a file. */
const ROUTE = `import { readFileSync } from 'node:fs';
export const dynamic = 'force-dynamic';
const bodies = new Map();
export function GET(request) {
  const name = new URL(request.url).searchParams.get('name');
  if (!bodies.has(name)) bodies.set(name, readFileSync(process.env.BODIES + '/' + name));
  return new Response(bodies.get(name), { headers: { 'content-type': 'application/json' } });
}
`;

/** Builds that application below `directory` and starts it with `next start`; `bodies` is where the files are. */
export async function startBareNext({
  root,
  directory,
  bodies,
  port,
}: {
  root: string;
  directory: string;
  bodies: string;
  port: number;
}): Promise<{ pid: number; stop(): Promise<void> }> {
  await mkdir(join(directory, 'app', 'api'), { recursive: true });
  await writeFile(join(directory, 'package.json'), '{"private":true,"type":"module"}');
  await writeFile(
    join(directory, 'next.config.mjs'),
    `export default { turbopack: { root: ${JSON.stringify(root)} } };\n`,
  );
  await writeFile(join(directory, 'app', 'api', 'route.js'), ROUTE);
  const next = join(root, 'node_modules', 'next', 'dist', 'bin', 'next');
  const env = childEnvironment({ NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1', BODIES: bodies });
  execFileSync(process.execPath, [next, 'build'], {
    cwd: directory,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const child = spawn(process.execPath, [next, 'start', '-p', String(port), '-H', '127.0.0.1'], {
    cwd: directory,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  process.once('exit', () => child.kill('SIGKILL'));
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (chunk) => String(chunk).includes('Ready') && resolve());
    child.once('exit', () => reject(new Error('next start ended before it was ready')));
  });
  return {
    pid: child.pid ?? 0,
    stop: async () => {
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
    },
  };
}
