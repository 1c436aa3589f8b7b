/** Remembers claims whose response was lost, to release them: it is unknown whether they were made. */
export type LostClaims<Id> = ReturnType<typeof createLostClaims<Id>>;

/** Remembers nothing initially; `release` releases claims, whether they were made or not. */
export function createLostClaims<Id>(release: (ids: Id[]) => Promise<unknown>) {
  let lost: Id[] = [];
  return {
    /** Runs a claim; if it fails, `ids` are lost. */
    track: async <Claimed>(ids: Id[], claim: () => Promise<Claimed>): Promise<Claimed> => {
      try {
        return await claim();
      } catch (error) {
        lost = [...lost, ...ids];
        throw error;
      }
    },
    hasAny: (): boolean => lost.length > 0,
    /** Releases what was lost. Throws if that fails; nothing is forgotten then. */
    release: async (): Promise<void> => {
      const released = lost;
      if (released.length > 0) await release(released);
      lost = lost.filter((id) => !released.includes(id));
    },
  };
}
