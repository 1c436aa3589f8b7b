#!/usr/bin/env node
// The one command. Plain JavaScript, for nothing is built yet when it runs first: it checks Node, reads .env, builds
// what is out of date, and hands over to the bundle of bin/cli.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { buildCommands, buildWeb, root } from './build.mjs';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`Pharos needs Node.js 20.19 or later; this is ${process.versions.node}.\n`);
  process.exit(1);
}

process.chdir(root);
if (existsSync('.env')) process.loadEnvFile('.env');
Object.assign(process.env, { NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' });
process.setSourceMapsEnabled(true);

const verb = process.argv[2] ?? '';
const asksForHelp = process.argv.some((argument) => argument === '--help' || argument === '-h');
try {
  await buildCommands();
  if ((verb === 'start' || verb === 'web') && !asksForHelp) await buildWeb();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
await import(join(root, 'dist', 'pharos.mjs'));
