import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The bundle that is running: dist/pharos.mjs. */
export const bundlePath = fileURLToPath(import.meta.url);

/** The project's directory. */
export const rootPath = dirname(dirname(bundlePath));

/** Where the migrations are. */
export const migrationsPath = join(rootPath, 'prisma', 'migrations');
