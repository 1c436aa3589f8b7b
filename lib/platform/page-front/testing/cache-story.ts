import { createManualClock } from '@/lib/core/time/clock';
import type { CapturedResponse } from '../captured-response';
import { PageCache, type Served } from '../page-cache';
import type { PageRequest } from '../page-request';
import type { CachedResponse } from '../stored-response';

const START = new Date('2026-03-10T12:00:00.000Z');
const CACHE_CONTROL = 'public, s-maxage=10, stale-while-revalidate=60';

export function request(key = 'acme'): PageRequest {
  const path = `/status/${key}`;
  const origin = 'http://pharos.test';
  return { key, path, origin, language: 'en', isPageHost: false, takesToken: false, token: null };
}

/** A cacheable page. */
export function page(body: string, tag = 'sp_1', headers: Record<string, string> = {}): CapturedResponse {
  return {
    status: 200,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': CACHE_CONTROL,
      'x-pharos-cache-tag': tag,
      ...headers,
    },
    body: Buffer.from(body),
  };
}

/** A response that must not be stored. */
export const refusal = (status: number): CapturedResponse => ({
  status,
  headers: {},
  body: Buffer.from(`${status}`),
});

type Outcome = CapturedResponse | null | Error;

/** A cache that receives changes, in front of an application whose responses the test decides. */
export function setUp(options: { maxBytes?: number; patienceMs?: number } = {}) {
  const clock = createManualClock(START);
  const cache = new PageCache({ clock, maxBytes: 1_000_000, ...options });
  cache.resume();
  const sent: { key: string; by: string; respond(outcome: Outcome): void }[] = [];
  let standing: Outcome | undefined;
  const send = (by: string, { key }: PageRequest) =>
    new Promise<CapturedResponse | null>((resolve, reject) => {
      const respond = (outcome: Outcome) => (outcome instanceof Error ? reject(outcome) : resolve(outcome));
      sent.push({ key, by, respond });
      if (standing !== undefined) respond(standing);
    });
  return {
    clock,
    cache,
    sent,
    get: (key?: string, name = 'visitor') =>
      cache.serve(request(key), { name, send: (pageRequest) => send(name, pageRequest) }),
    /** The response to every request from now on; undefined: the test responds itself. */
    respondWith: (outcome: Outcome | undefined) => {
      standing = outcome;
    },
  };
}

export function bodyOf(response: CachedResponse | undefined): string | undefined {
  const variant = response?.variants.in('identity');
  return variant instanceof Promise ? undefined : variant?.body.toString();
}

export function textOf(served: Served): string {
  if (served.kind === 'stored') return bodyOf(served.response) ?? '';
  return served.kind === 'own' ? `own ${served.response.body}` : served.kind;
}

export const changed = (...ids: string[]) => ({ kind: 'pages' as const, changed: ids, gone: [] });
export const gone = (...ids: string[]) => ({ kind: 'pages' as const, changed: [], gone: ids });
