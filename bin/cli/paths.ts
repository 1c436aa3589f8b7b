import { isIPv6 } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Environment } from '@/lib/env';

const EVERYWHERE = ['::', '0.0.0.0', ''];

/** The folder of the bundle that is running, whichever part of it this is. */
const distPath = dirname(fileURLToPath(import.meta.url));

/** The bundle's entry. */
export const bundlePath = join(distPath, 'pharos.mjs');

/** The project's directory. */
export const rootPath = dirname(distPath);

/** Where the migrations are. */
export const migrationsPath = join(rootPath, 'prisma', 'migrations');

/** The address to open: APP_URL, else what HOST and PORT amount to on this machine. */
export function publicUrl({ APP_URL, HOST, PORT }: Pick<Environment, 'APP_URL' | 'HOST' | 'PORT'>): string {
  if (APP_URL !== undefined) return APP_URL;
  const host = EVERYWHERE.includes(HOST) ? 'localhost' : isIPv6(HOST) ? `[${HOST}]` : HOST;
  return `http://${host}:${PORT}`;
}
