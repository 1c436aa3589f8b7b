import { fileURLToPath } from 'node:url';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';

/** Tests that look at what their whole process has open, or start others. */
const ALONE = ['bin', 'clients', 'inngest', 'lib/platform/net', 'lib/platform/postgres', 'lib/checks'].map(
  (folder) => `${folder}/**/*.test.{ts,tsx}`,
);

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
      testTimeout: 30_000,
      hookTimeout: 60_000,
    },
  };
}

export default defineConfig({
  // For what is set up.
  resolve: { alias: { '@': fileURLToPath(new URL('.', import.meta.url)) } },
  test: {
    projects: [
      project('alone', { isolate: true, include: ALONE }),
      // Apart from the next, because their connections to a service stay open for a while.
      project('app', { isolate: false, include: ['app/**/*.test.{ts,tsx}'] }),
      // Hundreds of small files: loading everything again for each would take as long as the tests themselves.
      project('together', {
        isolate: false,
        include: ['{bench,components,lib,prisma}/**/*.test.{ts,tsx}'],
        exclude: ALONE,
      }),
    ],
    globalSetup: ['./lib/testing/global-setup.ts', './e2e/support/service-broker.ts'],
    // One more than processors: many tests wait for processes, timers, and sockets.
    maxWorkers: 3,
  },
});
