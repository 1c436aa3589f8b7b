#!/usr/bin/env node
// The `pharos` command. Plain JavaScript, because nothing is built when it first runs: it checks the Node.js version, reads
// .env, builds the bundle of bin/cli if it is out of date, and runs it. A packed installation (pack.mjs) is already built.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`Pharos requires Node.js 20.19 or later; this is ${process.versions.node}.\n`);
  process.exit(1);
}

const root = dirname(dirname(fileURLToPath(import.meta.url)));
// Where the person is, as npm says it.
process.env.INIT_CWD ??= process.cwd();
process.chdir(root);
try {
  if (existsSync('.env')) process.loadEnvFile('.env');
} catch {
  process.stderr.write(
    `This user cannot read the settings in ${join(root, '.env')}: change its owner or mode.\n`,
  );
  process.exit(1);
}
Object.assign(process.env, { NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' });

try {
  const program = join(root, 'bin', 'build.mjs');
  if (existsSync(program)) await (await import(pathToFileURL(program).href)).buildCommands({ inChild: true });
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
await import(pathToFileURL(join(root, 'dist', 'pharos.mjs')).href);
