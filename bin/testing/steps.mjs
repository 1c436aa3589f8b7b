import { join } from 'node:path';
import { buildCommands } from '../build.mjs';
import { listFailedPlaywright, listFailedVitest } from './failed-tests.mjs';
import { findOrInstallBrowser } from './find-browser.mjs';
import { runProgram } from './run-program.mjs';
import { timePlaywright, timeVitest } from './slowest-files.mjs';
import { countPlaywright, countVitest } from './test-counts.mjs';

/**
 * One step of `npm test`. `run` resolves to whether it succeeded, or throws a message; `count` returns how many tests it ran,
 * `listFailed` which of them failed, and `time` how long each of their files took. It cannot run without those that it `needs`, by name.
 * A step `runs` in every run unless it says otherwise: where CI is set, or only where it is named; where it is named, always.
 * @typedef {{
 *   name: string, title: string, runs?: 'in CI' | 'named', needs?: string[], run: () => Promise<boolean>,
 *   count?: () => import('./test-counts.mjs').Counts, listFailed?: () => string[], time?: () => import('./slowest-files.mjs').Timed[]
 * }} Step
 */

/**
 * Small enough for two slow cores, and with time between faults in which nothing is excused: with these, `--mutations ''` finds
 * known faults of the engine.
 */
const CI_SEEDS = [
  '--seed',
  '31,4385,3056',
  '--minutes',
  '2',
  '--factor',
  '5',
  '--monitors',
  '24',
  '--faults',
  '2',
];

/** What `npm run test:thorough` adds: only the files that other runs leave out, with more requests to every operation. */
const THOROUGH = { TEST_THOROUGH: '1', VITE_FUZZ_RUNS: '8', VITE_FUZZ_STRIDE: '3' };

/**
 * The steps in order; those of a stage run at the same time.
 * @param {{ root: string, directory: string, environment: NodeJS.ProcessEnv, changed?: string }} options `directory` is for temporary files;
 *   with `changed`, a commit, only tests run that the changes since it can break
 * @returns {Step[][]}
 */
export function listStages({ root, directory, environment, changed }) {
  /**
   * @param {string} program a script, relative to the project
   * @param {string[]} words
   * @param {Record<string, string>} [extra]
   */
  const run = (program, words = [], extra = {}) =>
    runProgram([process.execPath, join(root, program), ...words], {
      cwd: root,
      env: { ...environment, TMPDIR: directory, ...extra },
    });
  /**
   * Vitest on the files of this kind.
   * @param {string} name
   * @param {Record<string, string>} [extra]
   */
  const runVitest = (name, extra) => {
    const report = join(directory, `${name}.json`);
    return {
      name,
      run: () =>
        run(
          'node_modules/vitest/vitest.mjs',
          [
            'run',
            '--reporter=default',
            '--reporter=json',
            `--reporter=${join(root, 'bin/testing/stalled-reporter.mjs')}`,
            `--outputFile.json=${report}`,
            ...(changed === undefined ? [] : [`--changed=${changed}`, '--passWithNoTests']),
          ],
          extra,
        ),
      count: () => countVitest(report),
      listFailed: () => listFailedVitest(report, root),
      time: () => timeVitest(report, root),
    };
  };
  /**
   * Playwright on the files of this kind, or in these folders.
   * @param {string} name
   * @param {Record<string, string>} [extra]
   * @param {string[]} [folders]
   */
  const runPlaywright = (name, extra, folders = []) => {
    const report = join(directory, `${name}.json`);
    return {
      name,
      needs: ['build'],
      run: () =>
        run('node_modules/@playwright/test/cli.js', ['test', '--reporter=list,json', ...folders], {
          CHROMIUM_PATH: findOrInstallBrowser(environment),
          PLAYWRIGHT_JSON_OUTPUT_FILE: report,
          // Compiling the specs takes 15 seconds of CPU, and the folder for temporary files is new in each run.
          PLAYWRIGHT_TRANSFORM_CACHE_DIR: join(root, 'node_modules', '.cache', 'playwright'),
          ...extra,
        }),
      count: () => countPlaywright(report),
      listFailed: () => listFailedPlaywright(report),
      time: () => timePlaywright(report),
    };
  };

  return [
    [
      {
        name: 'generate',
        title:
          'Build the commands; generate the database client, the types of routes and the clients of the API',
        run: async () => {
          await buildCommands();
          return (
            (await run('node_modules/next/dist/bin/next', ['typegen'], { NEXT_TELEMETRY_DISABLED: '1' })) &&
            run('bin/build-client.mjs', ['--sources'])
          );
        },
      },
    ],
    [
      {
        name: 'lint',
        title: 'Lint, including imports and wording',
        run: async () =>
          (await run('node_modules/@biomejs/biome/bin/biome', ['check', '--error-on-warnings', '.'])) &&
          (await run('bin/lint-imports.mjs')) &&
          (await run('bin/lint-phrases.mjs')) &&
          run('node_modules/cspell/bin.mjs', ['lint', '--no-progress']),
      },
      {
        name: 'types',
        title: 'Types',
        needs: ['generate'],
        run: () => run('node_modules/typescript/bin/tsc', ['--noEmit', '-p', 'tsconfig.check.json']),
      },
      { name: 'build', title: 'Build', run: () => run('bin/build.mjs') },
    ],
    [
      {
        ...runVitest('unit'),
        title: 'Unit and integration tests, on a real PostgreSQL',
        needs: ['generate'],
      },
    ],
    [{ ...runPlaywright('e2e'), title: 'End-to-end tests, in a real browser' }],
    [
      {
        ...runVitest('thorough', THOROUGH),
        title: 'Whole installations, and every combination',
        needs: ['generate'],
        runs: 'named',
      },
    ],
    [
      {
        ...runPlaywright('screens', THOROUGH, ['e2e/screens']),
        title: 'Every page in every window: its controls, contrasts and movements',
        runs: 'named',
      },
    ],
    [{ ...runPlaywright('journeys', THOROUGH), title: 'Every page, and every path on it', runs: 'named' }],
    [
      {
        name: 'faults',
        title: 'Six minutes under faults',
        needs: ['build'],
        runs: 'in CI',
        run: () => run('bench/run.mjs', ['faults', ...CI_SEEDS]),
      },
    ],
  ];
}
