// `npm run mutate`: changes the pure parts of lib one expression at a time and reports which changes no test notices; fails if an
// area has less than 85 % killed. `npm run mutate -- net lib/state/region.ts` runs areas or single files,
// `npm run mutate -- engine` a report without a threshold. Reports and the results to start from next time are in
// coverage/mutation; a single file always starts afresh.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateClient, root } from './build.mjs';
import { ENGINE_FOLDER, PURE_AREAS, THRESHOLD } from './mutation/areas.mjs';
import { createRunDirectory, removeRunDirectory } from './testing/run-directory.mjs';
import { runProgram, signalPrograms } from './testing/run-program.mjs';

process.chdir(root);
const runs = planRuns(process.argv.slice(2));
await generateClient();
const directory = createRunDirectory({ inMemory: process.env.TMPDIR === undefined });
process.once('exit', () => removeRunDirectory(directory));
let interrupted = false;
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
  process.on(signal, () => {
    interrupted = true;
    signalPrograms(signal);
  });
}
for (const run of runs) if (!interrupted && !(await runStryker(run))) process.exitCode = 1;

/**
 * @typedef {{ area: string, files: string[], isPure: boolean, force: boolean }} Run
 * @param {string[]} words areas or files; none: all pure areas
 * @returns {Run[]}
 */
function planRuns(words) {
  const names = words.length === 0 ? Object.keys(PURE_AREAS) : words;
  return names.map((name) => {
    const engine = { area: 'engine', isPure: false };
    if (name === 'engine') return { ...engine, files: [`${ENGINE_FOLDER}/**/*.ts`], force: false };
    if (name.startsWith(ENGINE_FOLDER)) return { ...engine, files: [name], force: true };
    for (const [area, { files }] of Object.entries(PURE_AREAS)) {
      if (name === area) return { area, files, isPure: true, force: false };
      if (files.includes(name)) return { area, files: [name], isPure: true, force: true };
    }
    const areas = [...Object.keys(PURE_AREAS), 'engine'].join(', ');
    throw new Error(`${name} is neither an area (${areas}) nor one of their files`);
  });
}

/** @param {Run} run */
async function runStryker(run) {
  const file = join(directory, 'options.json');
  writeFileSync(file, JSON.stringify(optionsOf(run)));
  const program = join(root, 'node_modules', '@stryker-mutator', 'core', 'bin', 'stryker.js');
  return runProgram([process.execPath, program, 'run', file], {
    cwd: root,
    env: { ...process.env, TMPDIR: directory },
  });
}

/** @param {Run} run */
function optionsOf({ area, files, isPure, force }) {
  const reports = `coverage/mutation/${area}`;
  return {
    mutate: [...files, '!**/*.test.ts', '!**/testing/**'],
    testRunner: 'vitest',
    vitest: { configFile: `bin/mutation/${isPure ? 'vitest' : 'engine'}.config.ts` },
    plugins: ['@stryker-mutator/vitest-runner', join(root, 'bin/mutation/ignore-texts.mjs')],
    ignorers: ['texts'],
    ignorePatterns: [
      '**',
      '!bin/**',
      '!e2e/support/**',
      '!inngest/**',
      '!lib/**',
      '!prisma/**',
      '!*.{json,ts}',
    ],
    // Would rewrite paths with an interface that TypeScript 7 no longer has; no path leads out of the copy.
    tsconfigFile: 'none',
    disableTypeChecks: false,
    concurrency: 1,
    dryRunTimeoutMinutes: 30,
    incremental: true,
    // Otherwise, surviving mutants of what runs while a module loads are not repeated when a test is added.
    force,
    incrementalFile: `${reports}.json`,
    reporters: ['progress', 'clear-text', 'html'],
    htmlReporter: { fileName: `${reports}.html` },
    clearTextReporter: { logTests: false, allowColor: false },
    thresholds: { high: 95, low: THRESHOLD, break: isPure ? THRESHOLD : null },
    tempDirName: join(directory, 'sandbox'),
    cleanTempDir: 'always',
  };
}
