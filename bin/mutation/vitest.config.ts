import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { PURE_AREAS } from './areas.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const include = Object.values(PURE_AREAS).flatMap(({ tests }) => tests);

/** The pure tests alone. Each mutant gets a new worker, which loads each module once. */
export default defineConfig({
  root,
  resolve: { alias: { '@': root } },
  test: { include, isolate: false, testTimeout: 30_000 },
});
