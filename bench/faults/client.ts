import { setTimeout as sleep } from 'node:timers/promises';
import { patience } from '@/bin/testing/patience.mjs';
import type { World } from './world';

/** The response to a request. */
export type ApiResponse = { status: number; body: unknown };

/** Milliseconds of real time that a web process has to respond. */
const PATIENCE_MS = 3000;
/** Milliseconds of real time in which no web process has to respond: faults overlap, and a slow machine takes long to start one. */
const GIVE_UP_MS = patience(120_000);
const PAUSE_MS = 250;

/**
 * Rejects if a request has not ended after `ms` milliseconds of real time. `AbortSignal.timeout()` alone does not do: Node.js can
 * collect the signal of a pending request, which then never ends.
 */
export async function withPatience<Value>(
  ms: number,
  send: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const sending = new AbortController();
  const waiting = new AbortController();
  const late = sleep(ms, undefined, { signal: waiting.signal }).then(() => {
    sending.abort();
    throw new Error(`no response in ${ms} ms`);
  });
  try {
    return await Promise.race([send(sending.signal), late]);
  } finally {
    waiting.abort();
  }
}

/** Sends requests of one organization to any web process that responds. */
export function createClient(world: Pick<World, 'webs'>, apiKey: string) {
  const headers = { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' };
  const send = async (origin: string, method: string, path: string, body?: object, key?: string) => {
    return withPatience(PATIENCE_MS, async (signal) => {
      const response = await fetch(`${origin}/api${path}`, {
        method,
        headers: key === undefined ? headers : { ...headers, 'Idempotency-Key': key },
        body: body === undefined ? undefined : JSON.stringify(body),
        signal,
      });
      return { status: response.status, body: await response.json(), link: response.headers.get('link') };
    });
  };

  /** Repeats a request until there is a response: with the same Idempotency-Key, so that it takes effect once. */
  const request = async (
    method: string,
    path: string,
    body?: object,
  ): Promise<ApiResponse & { link: string | null }> => {
    const key = method === 'POST' ? crypto.randomUUID() : undefined;
    const until = performance.now() + GIVE_UP_MS;
    for (let attempt = 0; ; attempt++) {
      const { origin } = world.webs[attempt % world.webs.length] ?? { origin: '' };
      const response = await send(origin, method, path, body, key).catch(() => null);
      const isFinal =
        response !== null && response.status < 500 && response.status !== 409 && response.status !== 429;
      if (isFinal) return response;
      if (performance.now() > until)
        throw new Error(`${method} ${path}: ${JSON.stringify(response?.body) ?? 'no web process responded'}`);
      await sleep(PAUSE_MS);
    }
  };

  return {
    request,
    /** Reads a public page as text. */
    read: async (path: string): Promise<string> => {
      const until = performance.now() + GIVE_UP_MS;
      for (let attempt = 0; ; attempt++) {
        const { origin } = world.webs[attempt % world.webs.length] ?? { origin: '' };
        const html = await withPatience(PATIENCE_MS, async (signal) => {
          const response = await fetch(origin + path, { signal });
          return response.ok ? response.text() : null;
        }).catch(() => null);
        if (html !== null) return html;
        if (performance.now() > until) throw new Error(`GET ${path}: no web process responded`);
        await sleep(PAUSE_MS);
      }
    },
    /** Reads all pages of a list. */
    list: async (path: string): Promise<Record<string, unknown>[]> => {
      const all: Record<string, unknown>[] = [];
      for (let next: string | null = path; next !== null; ) {
        const { status, body, link } = await request('GET', next);
        if (status !== 200) throw new Error(`GET ${next}: ${status} ${JSON.stringify(body)}`);
        all.push(...(body as Record<string, unknown>[]));
        next = /<[^>]*\/api([^>]*)>; rel="next"/.exec(link ?? '')?.[1] ?? null;
      }
      return all;
    },
  };
}

export type Client = ReturnType<typeof createClient>;
