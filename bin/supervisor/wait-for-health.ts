import { get } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { StartupError } from '@/lib/core/errors';
import type { Environment } from '@/lib/env';

const PATIENCE_MS = 60_000;
const RETRY_MS = 100;

type Address = Pick<Environment, 'HOST' | 'PORT' | 'APP_URL'>;

/** Resolves when this machine's own /api/health answers 200. Throws StartupError after a minute. */
export async function waitForHealth(address: Address): Promise<void> {
  const giveUpAt = performance.now() + PATIENCE_MS;
  let last = 'no answer';
  while (performance.now() < giveUpAt) {
    try {
      const { status, body } = await askHealth(address);
      if (status === 200) return;
      last = body;
    } catch (error) {
      last = String(error);
    }
    await delay(RETRY_MS);
  }
  throw new StartupError(`the service did not become healthy within a minute: ${last}`);
}

/** With APP_URL the application answers under that name only; `fetch` could not say another than it connects to. */
function askHealth({ HOST, PORT, APP_URL }: Address): Promise<{ status: number | undefined; body: string }> {
  const host = HOST === '0.0.0.0' ? '127.0.0.1' : HOST === '::' ? 'localhost' : HOST;
  const headers = APP_URL === undefined ? {} : { host: new URL(APP_URL).host };
  return new Promise((resolve, reject) => {
    get({ host, port: PORT, path: '/api/health', headers, agent: false }, (response) => {
      text(response).then((body) => resolve({ status: response.statusCode, body }), reject);
    }).on('error', reject);
  });
}
