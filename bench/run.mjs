// `node bench/run.mjs checks|detect|probe|remote|api|webhooks|heartbeats|memory|pages|drivers|list|dashboard|backup|costs|groups|neighbors|protocols|network-cut|faults|soak|pictures [--help]`:
// bundles and runs a benchmark and the commands it measures.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as esbuild from 'esbuild';
import { build, buildCommands, generateClient, root } from '../bin/build.mjs';

/** What a benchmark needs besides its own code; both builds if it is not listed. */
const NEEDS = {
  probe: generateClient,
  'network-cut': generateClient,
  protocols: generateClient,
  // These start workers only.
  checks: buildCommands,
  detect: buildCommands,
  webhooks: buildCommands,
  backup: buildCommands,
  drivers: buildCommands,
};

const [name = '', ...words] = process.argv.slice(2);
const entryPoint = join(root, 'bench', name, 'main.ts');
if (name === '' || !existsSync(entryPoint)) {
  process.stderr.write(
    'usage: node bench/run.mjs checks|detect|probe|remote|api|webhooks|heartbeats|memory|pages|drivers|list|dashboard|backup|costs|groups|neighbors|protocols|network-cut|faults|soak|pictures [options]\n',
  );
  process.exit(2);
}

process.chdir(root);
await (Object.entries(NEEDS).find(([each]) => each === name)?.[1] ?? build)();
const outfile = join(root, 'dist', 'bench', `${name}.mjs`);
await esbuild.build({
  entryPoints: [entryPoint],
  outfile,
  bundle: true,
  packages: 'external',
  platform: 'node',
  format: 'esm',
  target: 'node20',
  sourcemap: 'inline',
  logLevel: 'error',
});
await esbuild.stop();
process.setSourceMapsEnabled(true);
const { main } = await import(pathToFileURL(outfile).href);
// Ends what the benchmark started and deletes its data.
process.exit(await main(words));
