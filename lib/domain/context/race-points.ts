/** A place in the code where what others do meanwhile decides whether it is correct. */
export type RacePoint =
  /** A worker has taken a check that is due, and has not probed its target. */
  | 'check taken'
  /** A check has a result, which is not recorded. */
  | 'check finished'
  /** A recorder has locked the states of its monitors, and has not made sure that it still owns their shards. */
  | 'states locked'
  /** A search has found due deliveries, and has claimed none of them. */
  | 'deliveries found'
  /** A worker has claimed a delivery, and has neither signed nor sent it. */
  | 'delivery claimed'
  /** The receiver has responded or failed to, which is not recorded. */
  | 'attempt finished'
  /** Secrets were read to be resealed, and are not replaced. */
  | 'secrets read';

/**
 * Lets a test hold one actor at a named place while others act; see `holdAt`. Production installs none, and every place is
 * `if (races) await races.reach('…')`: one comparison, without an await. To hold an actor before its commit, no place is
 * needed; see `holdBeforeCommit`.
 */
export type RacePoints = { reach(point: RacePoint): Promise<void> };
