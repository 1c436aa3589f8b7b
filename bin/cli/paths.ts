import { existsSync } from 'node:fs';
import { isIPv6 } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Environment } from '@/lib/env';

const ALL_INTERFACES = ['::', '0.0.0.0', ''];

/** The project directory: above the bundle, and above these sources. */
export const rootPath = findAbove(dirname(fileURLToPath(import.meta.url)), 'package.json');

/** The entry point of the bundle. */
export const bundlePath = join(rootPath, 'dist', 'pharos.mjs');

/** The directory of the migrations. */
export const migrationsPath = join(rootPath, 'prisma', 'migrations');

/** The address to open: APP_URL, or the one that follows from HOST and PORT. */
export function publicUrl({ APP_URL, HOST, PORT }: Pick<Environment, 'APP_URL' | 'HOST' | 'PORT'>): string {
  if (APP_URL !== undefined) return APP_URL;
  const host = ALL_INTERFACES.includes(HOST) ? 'localhost' : isIPv6(HOST) ? `[${HOST}]` : HOST;
  return `http://${host}:${PORT}`;
}

/** The nearest folder above this one that contains `name`. */
function findAbove(folder: string, name: string): string {
  const above = dirname(folder);
  return existsSync(join(above, name)) || above === folder ? above : findAbove(above, name);
}
