import { get } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { StartupError } from '@/lib/core/errors';
import type { Logger } from '@/lib/core/logger';
import type { Environment } from '@/lib/env';
import { type HealthBody, healthSchema } from '@/lib/schemas/health';

const PATIENCE_MS = 60_000;
const RETRY_MS = 100;
/** The parts that a start provides. Others may depend on other machines, such as the worker of a region. */
const NEEDED = ['web', 'database'];

type Address = Pick<Environment, 'HOST' | 'PORT' | 'APP_URL'>;

/** Resolves when web and database are healthy, and logs other parts that are not. Throws StartupError after a minute. */
export async function waitForHealth(address: Address, log: Pick<Logger, 'warn'>): Promise<void> {
  const giveUpAt = performance.now() + PATIENCE_MS;
  let last = 'no response';
  while (performance.now() < giveUpAt) {
    try {
      const { parts } = await readHealth(address);
      const unhealthy = parts.filter(({ status }) => status !== 'ok');
      if (!unhealthy.some(({ name }) => NEEDED.includes(name))) {
        for (const { name, status, message } of unhealthy) log.warn({ part: name, status }, message);
        return;
      }
      last = unhealthy.map(({ message }) => message).join(' ');
    } catch (error) {
      last = String(error);
    }
    await delay(RETRY_MS);
  }
  throw new StartupError(`the service did not become healthy within a minute: ${last}`);
}

/** With APP_URL, the application responds only to that host; `fetch` cannot send a different Host header. */
async function readHealth({ HOST, PORT, APP_URL }: Address): Promise<HealthBody> {
  const host = HOST === '0.0.0.0' ? '127.0.0.1' : HOST === '::' ? 'localhost' : HOST;
  const headers = APP_URL === undefined ? {} : { host: new URL(APP_URL).host };
  const body = await new Promise<string>((resolve, reject) => {
    get({ host, port: PORT, path: '/api/health', headers, agent: false }, (response) => {
      text(response).then(resolve, reject);
    }).on('error', reject);
  });
  return healthSchema.parse(JSON.parse(body));
}
