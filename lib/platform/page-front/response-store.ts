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

/** Stored responses by key (least recently used evicted first) and by tag. */
export type ResponseStore = {
  get(key: string): Entry | undefined;
  set(key: string, response: StoredResponse): void;
  delete(key: string): void;
  /** Requires everything of a tag, or everything, to be requested again; it is kept in case that fails. */
  purge(tag?: string): void;
  /** Deletes everything of a tag. */
  deleteTag(tag: string): void;
  readonly size: number;
  readonly bytes: number;
};

/** Creates an empty store for at most `maxBytes` in total. */
export function createResponseStore(maxBytes: number): ResponseStore {
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
    get: (key) => entries.get(key),
    set: (key, response) => {
      entries.set(key, { response, isPurged: false, failedAt: 0 });
      if (!entries.has(key)) return;
      const keys = byTag.get(response.tag) ?? new Set();
      byTag.set(response.tag, keys.add(key));
    },
    delete: (key) => void entries.delete(key),
    purge: (tag) => {
      const keys = tag === undefined ? entries.keys() : (byTag.get(tag) ?? []);
      for (const key of keys) {
        const entry = entries.peek(key);
        if (entry) entry.isPurged = true;
      }
    },
    deleteTag: (tag) => {
      for (const key of [...(byTag.get(tag) ?? [])]) entries.delete(key);
    },
    get size() {
      return entries.size;
    },
    get bytes() {
      return entries.calculatedSize;
    },
  };
}

/** Orders purges relative to the reads they invalidate. */
export type Generations = {
  /** Marks the start of a read. */
  begin(): number;
  /** Invalidates reads started before now, of one tag or of all. */
  purge(tag?: string): void;
  /** Whether a read of `tag` started at `begun` is still valid. */
  isCurrent(tag: string, begun: number): boolean;
};

/** Tracks the last purge of at most `maxTags` individual tags; beyond that, everything counts as purged. */
export function createGenerations(maxTags = 10_000): Generations {
  const purges = new Map<string, number>();
  let sequence = 0;
  let all = 0;
  const purgeAll = () => {
    purges.clear();
    all = sequence;
  };
  return {
    begin: () => sequence,
    purge: (tag) => {
      sequence += 1;
      if (tag === undefined) return purgeAll();
      purges.set(tag, sequence);
      if (purges.size > maxTags) purgeAll();
    },
    isCurrent: (tag, begun) => all <= begun && (purges.get(tag) ?? 0) <= begun,
  };
}
