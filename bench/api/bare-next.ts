import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { childEnvironment } from '@/lib/env';
import { type Child, root, startNext } from '../playground';

/** A Next application with one route handler that sends a file. */
const ROUTE = `import { readFileSync } from 'node:fs';
export const dynamic = 'force-dynamic';
const bodies = new Map();
export function GET(request) {
  const name = new URL(request.url).searchParams.get('name');
  if (!bodies.has(name)) bodies.set(name, readFileSync(process.env.BODIES + '/' + name));
  return new Response(bodies.get(name), { headers: { 'content-type': 'application/json' } });
}
`;

// Inside the project, so that Next finds its own packages.
const directory = join(root, 'node_modules', '.cache', 'pharos', 'bare-next');

/** Builds that application and starts it with `next start`; `bodies` contains the files. */
export async function startBareNext(bodies: string, port: number): Promise<Child> {
  await mkdir(join(directory, 'app', 'api'), { recursive: true });
  await writeFile(join(directory, 'package.json'), '{"private":true,"type":"module"}');
  await writeFile(
    join(directory, 'next.config.mjs'),
    `export default { turbopack: { root: ${JSON.stringify(root)} } };\n`,
  );
  await writeFile(join(directory, 'app', 'api', 'route.js'), ROUTE);
  const next = join(root, 'node_modules', 'next', 'dist', 'bin', 'next');
  const environment = { NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1', BODIES: bodies };
  execFileSync(process.execPath, [next, 'build'], {
    cwd: directory,
    env: childEnvironment(environment),
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return startNext(directory, port, environment);
}
