import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { ENGINE_FOLDER } from './areas.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The tests of the engine, with their database. */
export default defineConfig({
  root,
  resolve: { alias: { '@': root } },
  test: {
    include: [`${ENGINE_FOLDER}/**/*.test.ts`],
    globalSetup: ['./lib/testing/global-setup.ts'],
    isolate: false,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
