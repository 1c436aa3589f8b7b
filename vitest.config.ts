import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: {
    alias: {
      '@': fileURLToPath(new URL('.', import.meta.url)),
      'server-only': fileURLToPath(new URL('./lib/testing/server-only.ts', import.meta.url)),
    },
  },
  test: {
    include: ['{app,bin,components,inngest,lib,prisma}/**/*.test.{ts,tsx}'],
    globalSetup: ['./lib/testing/global-setup.ts', './e2e/support/service-broker.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
  },
});
