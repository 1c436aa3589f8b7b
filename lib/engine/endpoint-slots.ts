import type { RunningTries } from './claim-deliveries';

/** Tries at once: few per endpoint, so that one that hangs slows nobody else; bounded in all. */
export type EndpointSlots = {
  perEndpoint: number;
  /** How many more may begin in all. */
  free(): number;
  /** The tries under way, by endpoint. */
  running(): RunningTries[];
  run(endpointId: string, work: () => Promise<void>): void;
  idle(): Promise<void>;
};

/** `onFree` is told when an endpoint that was busy can take another try. */
export function createEndpointSlots({
  total,
  perEndpoint,
  onFree,
}: {
  total: number;
  perEndpoint: number;
  onFree: () => void;
}): EndpointSlots {
  const running = new Map<string, number>();
  const works = new Set<Promise<void>>();
  const count = (endpointId: string) => running.get(endpointId) ?? 0;
  return {
    perEndpoint,
    free: () => total - works.size,
    running: () => [...running].map(([endpointId, tries]) => ({ endpointId, tries })),
    run: (endpointId, work) => {
      running.set(endpointId, count(endpointId) + 1);
      const done = work().finally(() => {
        const wasBusy = count(endpointId) >= perEndpoint || works.size >= total;
        if (count(endpointId) > 1) running.set(endpointId, count(endpointId) - 1);
        else running.delete(endpointId);
        works.delete(done);
        if (wasBusy) onFree();
      });
      works.add(done);
    },
    idle: async () => {
      while (works.size > 0) await Promise.allSettled([...works]);
    },
  };
}
