import { defineConfig } from '@playwright/test';
import { findBrowser } from './bin/testing/find-browser.mjs';
import { TEST_MS, WAIT_MS } from './bin/testing/patience.mjs';
import { isThorough } from './bin/testing/thorough.mjs';

/**
 * What only `npm run test:thorough` runs: these files, these tests of other files, and what `e2e/support/thorough.ts` adds to the rest.
 * It runs all other tests, too.
 */
const THOROUGH = { files: '**/*.thorough.spec.ts', tests: /@thorough/ };

export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.spec.ts',
  testIgnore: isThorough ? [] : THOROUGH.files,
  grepInvert: isThorough ? [] : THOROUGH.tests,
  metadata: { isThorough },
  // Each has a service, a database and a browser of its own, and waits much of the time.
  workers: 2,
  retries: 0,
  forbidOnly: true,
  timeout: TEST_MS,
  expect: { timeout: WAIT_MS },
  outputDir: 'test-results',
  reporter: 'list',
  use: {
    browserName: 'chromium',
    // Recording a trace takes a fifth of the processor's time; `npx playwright test --trace on FILE` records one.
    trace: 'off',
    screenshot: 'only-on-failure',
    launchOptions: {
      // Without one, Playwright itself says how to install its own.
      executablePath: findBrowser(process.env) ?? undefined,
      args: [
        // Chromium's sandbox refuses root, and needs more than most containers grant.
        '--no-sandbox',
        '--disable-dev-shm-usage',
        '--disable-quic',
        // Nothing but the pages under test.
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--no-first-run',
      ],
    },
  },
});
