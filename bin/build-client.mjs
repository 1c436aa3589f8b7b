// `npm run build:client` builds clients/typescript, whose types and methods are generated from the OpenAPI document of the
// routes. With `--sources`, it only generates them, and the client of a second generator for tests.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { generateClient as generateDatabaseClient, root } from './build.mjs';
import { generateSecondClient } from './client/generate-second.mjs';
import { generateTypes } from './client/generate-types.mjs';
import { readDocument } from './client/read-document.mjs';
import { writeEvents, writeResources } from './client/write-resources.mjs';

const client = join(root, 'clients', 'typescript');
const generated = join(client, 'src', 'generated');
const second = join(root, 'app', 'api', 'testing', 'generated');

try {
  await generateSources();
  if (!process.argv.includes('--sources')) await buildPackage();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}

/** Generates the sources, unless the document and the generators are those of the last time. */
async function generateSources() {
  await generateDatabaseClient();
  const text = await readDocument(root);
  const stamp = join(generated, 'stamp');
  const hash = await hashInputs(text);
  if ((await readFile(stamp, 'utf8').catch(() => '')) === hash) return;
  /** @type {import('./client/read-document.mjs').OpenApiDocument} */
  const document = JSON.parse(text);
  await rm(stamp, { force: true });
  await mkdir(generated, { recursive: true });
  await mkdir(second, { recursive: true });
  await generateTypes(root, document, generated);
  const { version } = JSON.parse(await readFile(join(client, 'package.json'), 'utf8'));
  await writeFile(join(generated, 'version.ts'), `export const VERSION = '${version}';\n`);
  await writeFile(join(generated, 'resources.ts'), writeResources(document));
  await writeFile(join(generated, 'events.ts'), writeEvents(document));
  await writeFile(join(second, 'second-client.ts'), await generateSecondClient(document));
  await writeFile(stamp, hash);
}

/** @param {string} document */
async function hashInputs(document) {
  const hash = createHash('sha256').update(document);
  const folder = join(root, 'bin', 'client');
  const programs = (await readdir(folder)).sort().map((name) => join(folder, name));
  for (const file of [...programs, join(root, 'package-lock.json'), join(client, 'package.json')]) {
    hash.update(await readFile(file));
  }
  return hash.digest('hex');
}

/** Writes `dist`: one module, its declarations and the license. */
async function buildPackage() {
  const dist = join(client, 'dist');
  await rm(dist, { recursive: true, force: true });
  const { outputFiles } = await build({
    entryPoints: [join(client, 'src', 'index.ts')],
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
    outdir: dist,
    logLevel: 'error',
    write: false,
  });
  await mkdir(dist);
  const [module] = outputFiles;
  if (module === undefined) throw new Error('esbuild wrote nothing');
  await writeFile(join(dist, 'index.js'), module.contents);
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const { status } = spawnSync(process.execPath, [compiler, '-p', client], { cwd: root, stdio: 'inherit' });
  if (status !== 0) throw new Error('The types of the client are wrong; see the lines above.');
  await copyFile(join(root, 'LICENSE'), join(dist, 'LICENSE'));
  const kilobytes = (gzipSync(module.contents).length / 1024).toFixed(1);
  process.stderr.write(`clients/typescript/dist: ${kilobytes} KB of JavaScript with gzip\n`);
}
