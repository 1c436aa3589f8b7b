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
