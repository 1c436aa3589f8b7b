import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Clock } from '@/lib/core/time/clock';
import type { Language } from '@/lib/schemas/language';
import { findAnnouncement, without } from '../announcements';
import { ADMITTED_HEADER, type PageChange, PRIVATE_HEADER } from '../application';
import type { CapturedResponse } from '../captured-response';
import { KEPT_MS } from '../page-cache';
import { createGenerations } from '../response-store';
import { markStale } from '../stale-note';
import type { VisitorCredentials } from './credentials';

/** For how long a verified credential opens what is held. */
const HOLD_MS = 10 * 60_000;
const MAX_CREDENTIALS = 10_000;
const OVERHEAD_BYTES = 2048;
/** What a copy has for everyone: neither the limits and the request ID of its first reader, nor what their token allows other sites. */
const CONTENT_HEADERS =
  /^(cache-control|content-(type|language|security-policy|disposition)|vary|referrer-policy|x-(content-type-options|robots-tag))$/;

type Held = { pageId: string; response: CapturedResponse; readAt: number; language: Language | null };

/** For whom a page was read, and when. */
type Reading = { credentials: VisitorCredentials; begun: { generation: number; readAt: number } };

/** The held private pages of a process. */
export type HeldPages = ReturnType<typeof createHeldPages>;

/**
 * What private pages showed last, in at most `maxBytes`, no longer than the shared cache keeps a copy; and whom the application admitted to
 * them, for at most ten minutes. Both are used only while the application cannot respond. Any change of who may see a page drops what is
 * held of it.
 */
export function createHeldPages({ clock, maxBytes }: { clock: Clock; maxBytes: number }) {
  const generations = createGenerations();
  const copies = new LRUCache<string, Held>({
    maxSize: maxBytes,
    sizeCalculation: ({ response }, key) => response.body.length + 2 * key.length + OVERHEAD_BYTES,
  });
  /** When a credential was last verified, by page and hash: a memory of the process holds no secrets. */
  const admitted = new LRUCache<string, number>({ max: MAX_CREDENTIALS });
  const time = () => clock.now().getTime();

  const isAdmitted = (pageId: string, credentials: VisitorCredentials): boolean =>
    Object.entries(credentials).some(([kind, value]) => {
      const verifiedAt = value === null ? undefined : admitted.get(nameOf(pageId, kind, value));
      return verifiedAt !== undefined && time() - verifiedAt < HOLD_MS;
    });

  return {
    /** Marks the start of a request to the application. */
    begin: () => ({ generation: generations.begin(), readAt: time() }),
    /** Holds what the application showed a visitor of a private page, unless that changed since `begun`. */
    hold: (
      { key, language }: { key: string; language: Language | null },
      response: CapturedResponse,
      { credentials, begun }: Reading,
    ): void => {
      const { [PRIVATE_HEADER]: pageId, [ADMITTED_HEADER]: by } = response.headers;
      if (response.status !== 200 || typeof pageId !== 'string' || typeof by !== 'string') return;
      if (!generations.isCurrent(pageId, begun.generation)) return;
      const value = Object.entries(credentials).find(([kind]) => kind === by)?.[1] ?? null;
      if (value === null) return;
      admitted.set(nameOf(pageId, by, value), begun.readAt);
      copies.set(key, { pageId, response: contentOf(response), readAt: begun.readAt, language });
    },
    /** Whether something is held for a request. */
    has: (key: string): boolean => copies.has(key),
    /** What a visitor gets while the application does not respond: the last response, marked; null unless they were just admitted. */
    find: (key: string, credentials: VisitorCredentials): CapturedResponse | null => {
      const held = copies.get(key);
      if (held === undefined || !isAdmitted(held.pageId, credentials)) return null;
      const { response, readAt, language } = held;
      if (time() - readAt > KEPT_MS) {
        copies.delete(key);
        return null;
      }
      const { headers } = response;
      return {
        status: 200,
        headers: { ...headers, warning: '111 - "Revalidation Failed"' },
        body: markStale(currentBody(response, time()), { begunAt: readAt, language }),
      };
    },
    /** Drops what is held of pages whose visitors changed. */
    apply: (change: PageChange): void => {
      if (change.kind === 'all') return;
      const gone = new Set(change.gone);
      if (gone.size === 0) return;
      for (const pageId of gone) generations.purge(pageId);
      for (const [key, { pageId }] of copies.entries()) if (gone.has(pageId)) copies.delete(key);
      for (const name of admitted.keys()) if (gone.has(pageOf(name))) admitted.delete(name);
    },
    /** Changes are received again, and earlier ones are unknown: nothing is held. */
    clear: (): void => {
      generations.purge();
      copies.clear();
      admitted.clear();
    },
  };
}

function contentOf({ status, headers, body }: CapturedResponse): CapturedResponse {
  const content = Object.entries(headers).filter(([name]) => CONTENT_HEADERS.test(name));
  return { status, headers: Object.fromEntries(content), body };
}

/** A body without an announcement that has ended. */
function currentBody({ headers, body }: CapturedResponse, now: number): Buffer {
  const announcement = findAnnouncement(body, String(headers['content-type'] ?? ''));
  return announcement !== null && now >= announcement.endsAt ? without(body, announcement) : body;
}

function nameOf(pageId: string, kind: string, value: string): string {
  return `${pageId} ${createHash('sha256').update(`${kind} ${value}`).digest('base64url')}`;
}

function pageOf(name: string): string {
  return name.slice(0, name.indexOf(' '));
}
