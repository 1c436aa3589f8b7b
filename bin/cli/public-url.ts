import { isIPv6 } from 'node:net';
import type { Environment } from '@/lib/env';

const EVERYWHERE = ['::', '0.0.0.0', ''];

/** The address to open: APP_URL, else what HOST and PORT amount to on this machine. */
export function publicUrl({ APP_URL, HOST, PORT }: Pick<Environment, 'APP_URL' | 'HOST' | 'PORT'>): string {
  if (APP_URL !== undefined) return APP_URL;
  const host = EVERYWHERE.includes(HOST) ? 'localhost' : isIPv6(HOST) ? `[${HOST}]` : HOST;
  return `http://${host}:${PORT}`;
}
