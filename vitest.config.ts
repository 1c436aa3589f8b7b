import { fileURLToPath } from 'node:url';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { TEST_MS, WAIT_MS } from './bin/testing/patience.mjs';
import { isThorough } from './bin/testing/thorough.mjs';

const testsIn = (folders: string[]) => folders.map((folder) => `${folder}/**/*.test.{ts,tsx}`);

/** `npm run test:thorough` runs what takes whole installations, or every combination; all other runs leave it out. */
const THOROUGH = '**/*.thorough.test.{ts,tsx}';

/** Tests of one service that all of them share. */
const SERVED = testsIn(['app', 'bin/as-code', 'bin/remote']);

/**
 * Tests that look at what their whole process has open or shares with routes, or that replace a module which others have loaded. Few: each loads
 * everything again, which took a tenth of the time of all when a hundred files did.
 */
const ALONE = [
  ...testsIn(['bin/web', 'lib/checks/ping']),
  'lib/platform/net/{deadline,resolve}.test.ts',
  'lib/web/http/server-services.test.ts',
];

/** A part of the tests. What is set up once, for all of them, is the root's. */
function project(
  name: string,
  own: { isolate: boolean; include: string[]; exclude?: string[] },
): TestProjectInlineConfiguration {
  return {
    resolve: {
      alias: {
        '@': fileURLToPath(new URL('.', import.meta.url)),
        'server-only': fileURLToPath(new URL('./lib/testing/server-only.ts', import.meta.url)),
      },
    },
    test: {
      name,
      ...own,
      exclude: [...(own.exclude ?? []), ...(isThorough ? ['**/!(*.thorough).test.{ts,tsx}'] : [THOROUGH])],
      testTimeout: TEST_MS,
      hookTimeout: TEST_MS,
      expect: { poll: { timeout: WAIT_MS } },
    },
  };
}

export default defineConfig({
  // For what is set up.
  resolve: { alias: { '@': fileURLToPath(new URL('.', import.meta.url)) } },
  test: {
    projects: [
      project('alone', { isolate: true, include: ALONE }),
      // Hundreds of small files: loading everything again for each would take as long as the tests themselves.
      project('together', {
        isolate: false,
        include: ['{bench,bin,clients,components,inngest,lib,prisma}/**/*.test.{ts,tsx}'],
        exclude: [...ALONE, ...SERVED],
      }),
      // Apart from the others, because their connections to the service stay open for a while. The last by name, which is the order
      // of projects: the service works on what they leave to it until the end of the run.
      project('with a service', { isolate: false, include: SERVED }),
    ],
    globalSetup: ['./lib/testing/global-setup.ts', './e2e/support/service-broker.ts'],
    // One more than processors: many tests wait for processes, timers, and sockets.
    maxWorkers: 3,
  },
});
