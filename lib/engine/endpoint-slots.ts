/** Tries at once: few per endpoint, so that one that hangs slows nobody else; bounded in all. */
export type EndpointSlots = {
  perEndpoint: number;
  /** How many more may begin in all. */
  free(): number;
  /** How many more an endpoint may be given. */
  places(endpointId: string): number;
  /** Runs a try. The endpoint's place is free once `work` calls `answered`, at its end at the latest; the place in all then. */
  run(endpointId: string, work: (answered: () => void) => Promise<void>): void;
  idle(): Promise<void>;
};

/** `onFree` is told whenever an endpoint has a place free again, and when there is one in all again. */
export function createEndpointSlots({
  total,
  perEndpoint,
  onFree,
}: {
  total: number;
  perEndpoint: number;
  onFree: (endpointId: string) => void;
}): EndpointSlots {
  const running = new Map<string, number>();
  const works = new Set<Promise<void>>();
  const count = (endpointId: string) => running.get(endpointId) ?? 0;
  return {
    perEndpoint,
    free: () => total - works.size,
    places: (endpointId) => perEndpoint - count(endpointId),
    run: (endpointId, work) => {
      running.set(endpointId, count(endpointId) + 1);
      let isRunning = true;
      const answered = () => {
        if (!isRunning) return;
        isRunning = false;
        const tries = count(endpointId);
        if (tries > 1) running.set(endpointId, tries - 1);
        else running.delete(endpointId);
        onFree(endpointId);
      };
      const done = work(answered).finally(() => {
        const wasFull = works.size >= total;
        works.delete(done);
        answered();
        if (wasFull) onFree(endpointId);
      });
      works.add(done);
    },
    idle: async () => {
      while (works.size > 0) await Promise.allSettled([...works]);
    },
  };
}
