import { LRUCache } from 'lru-cache';
import type { CachedResponse } from './stored-response';

/** A stored response and its state. */
export type Entry = {
  response: CachedResponse;
  /** Purged: must be requested again before it is served. */
  isPurged: boolean;
  /** When the last refresh failed, in epoch milliseconds; 0 if it did not. */
  failedAt: number;
  /** For whom it was read last. */
  visitor: string;
};

/** What is stored of one page, or was read for one visitor, takes at most this share of a store. */
const SHARE = 1 / 4;

/**
 * An empty store of responses by key, by tag and by the visitor for whom they were read, for at most `maxBytes` in total, and a quarter of
 * that of a tag or visitor. The least recently used are evicted first, or the oldest of the tag or visitor.
 */
export function createResponseStore(maxBytes: number) {
  const byTag = createGroups();
  const byVisitor = createGroups();
  const sizeOf = (response: CachedResponse, key: string) => response.bytes + 2 * key.length;
  const entries = new LRUCache<string, Entry>({
    maxSize: maxBytes,
    sizeCalculation: ({ response }, key) => sizeOf(response, key),
    dispose: ({ response, visitor }, key) => {
      byTag.remove(response.tag, key);
      byVisitor.remove(visitor, key);
    },
  });
  return {
    get: (key: string) => entries.get(key),
    size: () => ({ entries: entries.size, bytes: entries.calculatedSize }),
    set: (key: string, response: CachedResponse, visitor: string) => {
      entries.set(key, { response, isPurged: false, failedAt: 0, visitor });
      if (!entries.has(key)) return;
      const bytes = sizeOf(response, key);
      byTag.add(response.tag, key, bytes);
      byVisitor.add(visitor, key, bytes);
      const excess = [
        ...byTag.listOldest(response.tag, maxBytes * SHARE),
        ...byVisitor.listOldest(visitor, maxBytes * SHARE),
      ];
      for (const old of excess) entries.delete(old);
    },
    delete: (key: string) => void entries.delete(key),
    /** Requires everything of a tag, or everything, to be requested again; it is kept in case that fails. */
    purge: (tag?: string) => {
      const keys = tag === undefined ? entries.keys() : byTag.keysOf(tag);
      for (const key of keys) {
        const entry = entries.peek(key);
        if (entry) entry.isPurged = true;
      }
    },
    /** Deletes everything of a tag. */
    deleteTag: (tag: string) => {
      for (const key of byTag.keysOf(tag)) entries.delete(key);
    },
  };
}

/** Keys with their bytes in groups, each in the order in which they were added. */
function createGroups() {
  const groups = new Map<string, { bytes: number; keys: Map<string, number> }>();
  return {
    add: (name: string, key: string, bytes: number) => {
      const group = groups.get(name) ?? { bytes: 0, keys: new Map() };
      groups.set(name, group);
      group.keys.set(key, bytes);
      group.bytes += bytes;
    },
    remove: (name: string, key: string) => {
      const group = groups.get(name);
      if (group === undefined) return;
      group.bytes -= group.keys.get(key) ?? 0;
      group.keys.delete(key);
      if (group.keys.size === 0) groups.delete(name);
    },
    keysOf: (name: string): string[] => [...(groups.get(name)?.keys.keys() ?? [])],
    /** The oldest keys of a group, without which it has at most `maxBytes`; never the newest. */
    listOldest: (name: string, maxBytes: number): string[] => {
      const { bytes = 0, keys = new Map<string, number>() } = groups.get(name) ?? {};
      const oldest: string[] = [];
      let left = bytes;
      for (const [key, size] of keys) {
        if (left <= maxBytes || oldest.length === keys.size - 1) break;
        oldest.push(key);
        left -= size;
      }
      return oldest;
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
