import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import type { Reporter, Vitest } from 'vitest/node';
import { PURE_AREAS } from './areas.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const include = Object.values(PURE_AREAS).flatMap(({ tests }) => tests);

/** Stryker sees only tests: without this, a mutant with which a module does not even load would survive. */
function reportLoadErrors(): Reporter {
  let vitest: Vitest | undefined;
  return {
    onInit(context) {
      vitest = context;
    },
    onTestModuleEnd(module) {
      for (const error of module.errors()) vitest?.state.catchError(error, 'Unhandled Error');
    },
  };
}

/** The pure tests alone. Each mutant gets a new worker, which loads each module once. */
export default defineConfig({
  root,
  resolve: { alias: { '@': root } },
  test: { include, isolate: false, testTimeout: 30_000, reporters: [reportLoadErrors()] },
});
