import { createRequire } from 'node:module';
import { PHASE_PRODUCTION_SERVER } from 'next/constants.js';
import type * as NextConfig from 'next/dist/server/config';

// A CommonJS module whose default export is not what an import of it would be.
const { default: loadConfig }: typeof NextConfig = createRequire(import.meta.url)('next/dist/server/config');

/** Loads the configuration before Next does, which then takes the loaded one, and does not print how long loading it took. */
export async function loadConfigSilently(root: string): Promise<void> {
  await loadConfig(PHASE_PRODUCTION_SERVER, root, { silent: true });
}
