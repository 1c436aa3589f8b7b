import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findFreePort } from '@/lib/core/ports';
import { childEnvironment } from '@/lib/env';
import { root } from './environment';
import { type Child, startNext } from './processes';

/** A Next application with one route handler that does nothing else. */
const ROUTE = `export const dynamic = 'force-dynamic';
export function GET() {
  return Response.json({ status: 'ok' });
}
`;

// Inside the project, so that Next finds its own packages.
const directory = join(root, 'node_modules', '.cache', 'pharos', 'bare-next');

/**
 * Starts the least of all Next applications, one route that sends a few bytes, with `next start`: the unit for the
 * cost of requests, because the same request costs twice as much on another machine.
 */
export async function startBareNext(): Promise<Child & { url: string }> {
  built ??= build();
  await built;
  const port = await findFreePort();
  return { ...(await startNext(directory, port, {})), url: `http://127.0.0.1:${port}/api` };
}

let built: Promise<void> | undefined;

async function build(): Promise<void> {
  await mkdir(join(directory, 'app', 'api'), { recursive: true });
  await writeFile(join(directory, 'package.json'), '{"private":true,"type":"module"}');
  await writeFile(
    join(directory, 'next.config.mjs'),
    `export default { turbopack: { root: ${JSON.stringify(root)} } };\n`,
  );
  await writeFile(join(directory, 'app', 'api', 'route.js'), ROUTE);
  const next = join(root, 'node_modules', 'next', 'dist', 'bin', 'next');
  execFileSync(process.execPath, [next, 'build'], {
    cwd: directory,
    env: childEnvironment({ NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' }),
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}
