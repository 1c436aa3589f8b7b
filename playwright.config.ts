import { defineConfig } from '@playwright/test';
import { findBrowser } from './bin/testing/find-browser.mjs';
import { TEST_MS, WAIT_MS } from './bin/testing/patience.mjs';

/** `npm run test:thorough` runs what looks at every screen and every path; all other runs leave it out. */
const THOROUGH = '**/*.thorough.spec.ts';
const isThorough = process.env.TEST_THOROUGH === '1';

export default defineConfig({
  testDir: 'e2e',
  testMatch: isThorough ? THOROUGH : '**/*.spec.ts',
  testIgnore: isThorough ? [] : THOROUGH,
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
