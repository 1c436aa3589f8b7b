import type { ClaimedDelivery } from './claim-deliveries';

/**
 * Tries that are claimed and wait for a place at their endpoint, so that a place that is free does not wait for the
 * database. How many is decided by how many the endpoint answers while a claim is under way: one that hangs has none.
 */
export type PrefetchedClaims = {
  /** How many an endpoint with so many free slots may be given by a claim that takes `claimMs`. */
  room(endpointId: string, free: number, claimMs: number): number;
  /** How many are claimed ahead for an endpoint. */
  ready(endpointId: string): number;
  /** Takes over claimed tries, and how their endpoints are now. */
  add(claimed: ClaimedDelivery[]): void;
  /** Takes out the next try of an endpoint, with the endpoint as it was read last. */
  next(endpointId: string): ClaimedDelivery | null;
  /** The endpoint has answered. */
  answered(endpointId: string): void;
  /** Takes out the tries that have waited longer than `ms`. */
  takeOlder(ms: number): ClaimedDelivery[];
  size(): number;
};

type Lane = {
  ready: { delivery: ClaimedDelivery; since: number }[];
  endpoint: ClaimedDelivery['endpoint'];
  /** Answers since `since`, and how many there were a millisecond in the span before. */
  answers: number;
  since: number;
  rate: number;
};

const MAX_AHEAD = 50;
const SPAN_MS = 100;
/** Enough for the claim under way and the next one. */
const CLAIMS_AHEAD = 2;

/** Lanes without any tries. `now` is in milliseconds and never goes back. */
export function createPrefetchedClaims(now: () => number = () => performance.now()): PrefetchedClaims {
  const lanes = new Map<string, Lane>();
  const laneOf = (endpointId: string): Lane => {
    const known = lanes.get(endpointId);
    if (known) return known;
    const lane = { ready: [], endpoint: null, answers: 0, since: now(), rate: 0 };
    lanes.set(endpointId, lane);
    return lane;
  };
  const settleRate = (lane: Lane) => {
    const span = now() - lane.since;
    if (span < SPAN_MS) return;
    lane.rate = lane.answers / span;
    lane.answers = 0;
    lane.since = now();
  };
  const isForgettable = (lane: Lane) => lane.ready.length === 0 && lane.rate === 0 && lane.answers === 0;

  return {
    ready: (endpointId) => lanes.get(endpointId)?.ready.length ?? 0,
    room: (endpointId, free, claimMs) => {
      const lane = lanes.get(endpointId);
      if (!lane) return free;
      settleRate(lane);
      const ahead = Math.min(MAX_AHEAD, Math.floor(lane.rate * claimMs * CLAIMS_AHEAD));
      // Few large claims instead of many small ones.
      if (lane.ready.length > ahead / 2) return 0;
      return free + ahead - lane.ready.length;
    },
    add: (claimed) => {
      const since = now();
      for (const delivery of claimed) {
        const lane = laneOf(delivery.endpointId);
        lane.endpoint = delivery.endpoint;
        lane.ready.push({ delivery, since });
      }
    },
    next: (endpointId) => {
      const lane = lanes.get(endpointId);
      const first = lane?.ready.shift();
      return lane && first ? { ...first.delivery, endpoint: lane.endpoint } : null;
    },
    answered: (endpointId) => {
      const lane = laneOf(endpointId);
      settleRate(lane);
      lane.answers += 1;
    },
    takeOlder: (ms) => {
      const before = now() - ms;
      const taken: ClaimedDelivery[] = [];
      for (const [endpointId, lane] of lanes) {
        const isOld = ({ since }: { since: number }) => since <= before;
        taken.push(...lane.ready.filter(isOld).map(({ delivery }) => delivery));
        lane.ready = lane.ready.filter((one) => !isOld(one));
        settleRate(lane);
        if (isForgettable(lane)) lanes.delete(endpointId);
      }
      return taken;
    },
    size: () => [...lanes.values()].reduce((sum, { ready }) => sum + ready.length, 0),
  };
}
