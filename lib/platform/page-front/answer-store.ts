import { LRUCache } from 'lru-cache';
import type { StoredAnswer } from './stored-answer';

/** A kept answer and what became of it since. */
export type Entry = {
  answer: StoredAnswer;
  /** Purged: to be asked for again before it is served. */
  isPurged: boolean;
  /** When asking for it again failed last, in milliseconds since 1970; 0 where it did not. */
  failedAt: number;
};

/** Kept answers by key, the least recently used dropped first, and by tag. */
export type AnswerStore = {
  get(key: string): Entry | undefined;
  set(key: string, answer: StoredAnswer): void;
  delete(key: string): void;
  /** Everything of a tag, or everything, has to be asked for again; it stays for when that fails. */
  purge(tag?: string): void;
  /** Forgets everything of a tag. */
  forget(tag: string): void;
  readonly size: number;
  readonly bytes: number;
};

/** An empty store for answers of at most `maxBytes` together. */
export function createAnswerStore(maxBytes: number): AnswerStore {
  const byTag = new Map<string, Set<string>>();
  const unlink = ({ answer }: Entry, key: string) => {
    const keys = byTag.get(answer.tag);
    keys?.delete(key);
    if (keys?.size === 0) byTag.delete(answer.tag);
  };
  const entries = new LRUCache<string, Entry>({
    maxSize: maxBytes,
    sizeCalculation: ({ answer }, key) => answer.bytes + 2 * key.length,
    dispose: unlink,
  });
  return {
    get: (key) => entries.get(key),
    set: (key, answer) => {
      entries.set(key, { answer, isPurged: false, failedAt: 0 });
      if (!entries.has(key)) return;
      const keys = byTag.get(answer.tag) ?? new Set();
      byTag.set(answer.tag, keys.add(key));
    },
    delete: (key) => void entries.delete(key),
    purge: (tag) => {
      const keys = tag === undefined ? entries.keys() : (byTag.get(tag) ?? []);
      for (const key of keys) {
        const entry = entries.peek(key);
        if (entry) entry.isPurged = true;
      }
    },
    forget: (tag) => {
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

/** Orders purges and the reading of what they make old. */
export type Generations = {
  /** The moment at which something begins to be read. */
  begin(): number;
  /** From now on what began to be read before is old: of one tag, or of all without one. */
  purge(tag?: string): void;
  /** Whether what was read of `tag` since `begun` still stands. */
  isCurrent(tag: string, begun: number): boolean;
};

/** Remembers the last purge of at most `maxTags` tags one by one; of more, it takes all for purged. */
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
