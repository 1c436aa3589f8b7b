import { LRUCache } from 'lru-cache';
import type { StoredResponse } from './stored-response';

/** A stored response and its state. */
export type Entry = {
  response: StoredResponse;
  /** Purged: must be requested again before it is served. */
  isPurged: boolean;
  /** When the last refresh failed, in epoch milliseconds; 0 if it did not. */
  failedAt: number;
};

/** An empty store of responses by key and by tag, for at most `maxBytes` in total; the least recently used are evicted first. */
export function createResponseStore(maxBytes: number) {
  const byTag = new Map<string, Set<string>>();
  const unlink = ({ response }: Entry, key: string) => {
    const keys = byTag.get(response.tag);
    keys?.delete(key);
    if (keys?.size === 0) byTag.delete(response.tag);
  };
  const entries = new LRUCache<string, Entry>({
    maxSize: maxBytes,
    sizeCalculation: ({ response }, key) => response.bytes + 2 * key.length,
    dispose: unlink,
  });
  return {
    get: (key: string) => entries.get(key),
    size: () => ({ entries: entries.size, bytes: entries.calculatedSize }),
    set: (key: string, response: StoredResponse) => {
      entries.set(key, { response, isPurged: false, failedAt: 0 });
      if (!entries.has(key)) return;
      const keys = byTag.get(response.tag) ?? new Set();
      byTag.set(response.tag, keys.add(key));
    },
    delete: (key: string) => void entries.delete(key),
    /** Requires everything of a tag, or everything, to be requested again; it is kept in case that fails. */
    purge: (tag?: string) => {
      const keys = tag === undefined ? entries.keys() : (byTag.get(tag) ?? []);
      for (const key of keys) {
        const entry = entries.peek(key);
        if (entry) entry.isPurged = true;
      }
    },
    /** Deletes everything of a tag. */
    deleteTag: (tag: string) => {
      for (const key of [...(byTag.get(tag) ?? [])]) entries.delete(key);
    },
  };
}

/**
 * Orders purges relative to the reads they invalidate. Tracks at most `maxTags` individual tags; beyond that, a purge of one
 * invalidates everything.
 */
export function createGenerations(maxTags = 10_000) {
  const purges = new Map<string, number>();
  let sequence = 0;
  let all = 0;
  const purgeAll = () => {
    purges.clear();
    all = sequence;
  };
  return {
    /** Marks the start of a read. */
    begin: () => sequence,
    /** Invalidates reads started before now, of one tag or of all. */
    purge: (tag?: string) => {
      sequence += 1;
      if (tag === undefined) return purgeAll();
      purges.set(tag, sequence);
      if (purges.size > maxTags) purgeAll();
    },
    /** Whether a read of `tag` started at `begun` is still valid. */
    isCurrent: (tag: string, begun: number) => all <= begun && (purges.get(tag) ?? 0) <= begun,
  };
}
