// `npm run build:probe` builds clients/probe: `pharos probe` alone, in one file, for machines that have nothing else of Pharos.
import { chmod, copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { FOR_NODE, REQUIRE, root } from './build.mjs';

const dist = join(root, 'clients', 'probe', 'dist');

/**
 * Includes only what Pharos uses of zod. Of `{ z }`, esbuild includes everything, such as texts in fifty languages: a third of the bundle.
 * @type {import('esbuild').Plugin}
 */
const partsOfZod = {
  name: 'parts-of-zod',
  setup: ({ onLoad }) =>
    onLoad({ filter: /\/(bin|lib)\/.*\.ts$/, namespace: 'file' }, async ({ path }) => {
      if (path.includes('/node_modules/')) return null;
      const text = await readFile(path, 'utf8');
      return { contents: text.replace("import { z } from 'zod'", "import * as z from 'zod'"), loader: 'ts' };
    }),
};

/** The bundle, which is not written, and what it consists of. */
export async function bundleProbe() {
  return build({
    ...FOR_NODE,
    entryPoints: { 'pharos-probe': join(root, 'bin', 'probe', 'main.ts') },
    outdir: dist,
    outExtension: { '.js': '.mjs' },
    // A native program, and optional.
    external: ['koffi'],
    banner: { js: `#!/usr/bin/env node\n${REQUIRE}` },
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [partsOfZod],
    minify: true,
    target: 'node20',
    absWorkingDir: root,
    metafile: true,
    write: false,
  });
}

/** Writes `dist`: the program and the license. */
async function buildPackage() {
  const { outputFiles } = await bundleProbe();
  const [program] = outputFiles;
  if (program === undefined) throw new Error('esbuild wrote nothing');
  await rm(dist, { recursive: true, force: true });
  await mkdir(dist);
  const path = join(dist, 'pharos-probe.mjs');
  await writeFile(path, program.contents);
  await chmod(path, 0o755);
  await copyFile(join(root, 'LICENSE'), join(dist, 'LICENSE'));
  process.stderr.write(`clients/probe/dist: ${Math.round(program.contents.length / 1024)} KB\n`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await buildPackage().catch((error) => {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  });
}
