import { setTimeout as delay } from 'node:timers/promises';
import { StartupError } from '@/lib/core/errors';
import type { Environment } from '@/lib/env';

const PATIENCE_MS = 60_000;
const RETRY_MS = 100;

/** Resolves when this machine's own /api/health answers 200. Throws StartupError after a minute. */
export async function waitForHealth({ HOST, PORT }: Pick<Environment, 'HOST' | 'PORT'>): Promise<void> {
  const host =
    HOST === '0.0.0.0' ? '127.0.0.1' : HOST === '::' ? 'localhost' : HOST.includes(':') ? `[${HOST}]` : HOST;
  const giveUpAt = performance.now() + PATIENCE_MS;
  let last = 'no answer';
  while (performance.now() < giveUpAt) {
    try {
      const response = await fetch(`http://${host}:${PORT}/api/health`);
      if (response.ok) return;
      last = await response.text();
    } catch (error) {
      last = String(error);
    }
    await delay(RETRY_MS);
  }
  throw new StartupError(`the service did not become healthy within a minute: ${last}`);
}
