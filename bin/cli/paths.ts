import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the bundle that is running, whichever part of it this is. */
const distPath = dirname(fileURLToPath(import.meta.url));

/** The bundle's entry. */
export const bundlePath = join(distPath, 'pharos.mjs');

/** The project's directory. */
export const rootPath = dirname(distPath);

/** Where the migrations are. */
export const migrationsPath = join(rootPath, 'prisma', 'migrations');
