import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { patience } from '@/bin/testing/patience.mjs';

/** A response that a client does not expect, and how many of the client's requests in a row had none better; status 0: none. */
export type Trouble = { path: string; status: number; inARow: number };

export type Load = {
  /** Ends it once the last requests have their responses. */
  stop(): Promise<void>;
  troubles: readonly Trouble[];
  /** The titles of the incidents that the service has acknowledged. */
  incidents: readonly string[];
};

const READS = ['/api/monitors?limit=20', '/api/incidents?limit=20', '/api/health', '/sign-in'];
const PAUSE_MS = patience(100);
const WRITE_PAUSE_MS = patience(250);
const RETRY_MS = patience(100);

/** Reads and writes as clients do, several at a time: failed writes are retried with their idempotency key. */
export function startLoad(url: string, apiKey: string): Load {
  const troubles: Trouble[] = [];
  const incidents: string[] = [];
  let isOver = false;
  const authorization = `Bearer ${apiKey}`;
  const inARow = new Map<string, number>();

  const call = async (path: string, init: RequestInit): Promise<number> => {
    const status = await fetch(`${url}${path}`, { ...init, redirect: 'manual' }).then(
      async (response) => {
        await response.arrayBuffer();
        return response.status;
      },
      () => 0,
    );
    const failures = status === 0 || status >= 400 ? (inARow.get(path) ?? 0) + 1 : 0;
    inARow.set(path, failures);
    if (failures > 0) troubles.push({ path, status, inARow: failures });
    return status;
  };

  const read = async (path: string) => {
    while (!isOver) {
      await call(path, { headers: { authorization } });
      await delay(PAUSE_MS);
    }
  };
  const write = async () => {
    for (let number = 1; !isOver; number++) {
      const title = `Incident ${number} ${randomUUID()}`;
      const headers = { authorization, 'content-type': 'application/json', 'idempotency-key': randomUUID() };
      const body = JSON.stringify({ title, severity: 'minor' });
      while ((await call('/api/incidents', { method: 'POST', headers, body })) !== 201) await delay(RETRY_MS);
      incidents.push(title);
      await delay(WRITE_PAUSE_MS);
    }
  };
  const running = [...READS.map(read), write()];
  return {
    troubles,
    incidents,
    stop: async () => {
      isOver = true;
      await Promise.all(running);
    },
  };
}
