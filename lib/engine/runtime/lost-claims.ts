/** Remembers claims whose response was lost, to release them: it is unknown whether they were made. */
export type LostClaims<Id> = {
  /** Runs a claim; if it fails, `ids` are lost. */
  track<Claimed>(ids: Id[], claim: () => Promise<Claimed>): Promise<Claimed>;
  hasAny(): boolean;
  /** Releases what was lost. Throws if that fails; nothing is forgotten then. */
  release(): Promise<void>;
};

/** Remembers nothing initially; `release` releases claims, whether they were made or not. */
export function createLostClaims<Id>(release: (ids: Id[]) => Promise<unknown>): LostClaims<Id> {
  let lost: Id[] = [];
  return {
    track: async (ids, claim) => {
      try {
        return await claim();
      } catch (error) {
        lost = [...lost, ...ids];
        throw error;
      }
    },
    hasAny: () => lost.length > 0,
    release: async () => {
      const released = lost;
      if (released.length > 0) await release(released);
      lost = lost.filter((id) => !released.includes(id));
    },
  };
}
