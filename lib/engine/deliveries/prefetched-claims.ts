import type { ClaimedDelivery } from './claim-deliveries';

type Lane = {
  ready: { delivery: ClaimedDelivery; since: number }[];
  endpoint: ClaimedDelivery['endpoint'];
  /** Responses since `since`, and responses per millisecond in the previous span. */
  responses: number;
  since: number;
  rate: number;
};

const MAX_AHEAD = 50;
const SPAN_MS = 100;
/** Enough for the claim in progress and the next one. */
const CLAIMS_AHEAD = 2;

/**
 * Creates an empty set of claimed attempts that wait for a slot of their endpoint, so that a free slot never
 * waits for the database. How many depends on how often the endpoint responds during a claim: a hanging one
 * gets none. `now` is monotonic, in milliseconds.
 */
export function createPrefetchedClaims(now: () => number = () => performance.now()) {
  const lanes = new Map<string, Lane>();
  const laneOf = (endpointId: string): Lane => {
    const known = lanes.get(endpointId);
    if (known) return known;
    const lane = { ready: [], endpoint: null, responses: 0, since: now(), rate: 0 };
    lanes.set(endpointId, lane);
    return lane;
  };
  const updateRate = (lane: Lane) => {
    const span = now() - lane.since;
    if (span < SPAN_MS) return;
    lane.rate = lane.responses / span;
    lane.responses = 0;
    lane.since = now();
  };
  const isIdle = (lane: Lane) => lane.ready.length === 0 && lane.rate === 0 && lane.responses === 0;

  return {
    /** How many are claimed ahead for an endpoint. */
    ready: (endpointId: string): number => lanes.get(endpointId)?.ready.length ?? 0,
    /** How many a claim that takes `claimMs` may add for an endpoint with `free` slots. */
    claimable: (endpointId: string, free: number, claimMs: number): number => {
      const lane = lanes.get(endpointId);
      if (!lane) return free;
      updateRate(lane);
      const ahead = Math.min(MAX_AHEAD, Math.floor(lane.rate * claimMs * CLAIMS_AHEAD));
      // Few large claims instead of many small ones.
      if (lane.ready.length > ahead / 2) return 0;
      return free + ahead - lane.ready.length;
    },
    /** Adds claimed attempts, and the current state of their endpoints. */
    add: (claimed: ClaimedDelivery[]): void => {
      const since = now();
      for (const delivery of claimed) {
        const lane = laneOf(delivery.endpointId);
        lane.endpoint = delivery.endpoint;
        lane.ready.push({ delivery, since });
      }
    },
    /** Removes the next attempt of an endpoint, with the latest known state of the endpoint. */
    next: (endpointId: string): ClaimedDelivery | null => {
      const lane = lanes.get(endpointId);
      const first = lane?.ready.shift();
      return lane && first ? { ...first.delivery, endpoint: lane.endpoint } : null;
    },
    noteResponse: (endpointId: string): void => {
      const lane = laneOf(endpointId);
      updateRate(lane);
      lane.responses += 1;
    },
    /** Removes attempts that have waited longer than `ms`. */
    takeOlder: (ms: number): ClaimedDelivery[] => {
      const before = now() - ms;
      const taken: ClaimedDelivery[] = [];
      for (const [endpointId, lane] of lanes) {
        const isOld = ({ since }: { since: number }) => since <= before;
        taken.push(...lane.ready.filter(isOld).map(({ delivery }) => delivery));
        lane.ready = lane.ready.filter((one) => !isOld(one));
        updateRate(lane);
        if (isIdle(lane)) lanes.delete(endpointId);
      }
      return taken;
    },
    size: (): number => [...lanes.values()].reduce((sum, { ready }) => sum + ready.length, 0),
  };
}
