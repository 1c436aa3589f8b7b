/** How many attempts may run at once. */
export type SlotLimits = {
  /** In all. */
  total: number;
  /** Of these, kept for endpoints with nothing running: however many others hang, theirs starts at once. */
  reserved: number;
  perOrganization: number;
  /** Of one endpoint: it starts with `least`, and with more deliveries pending it is given up to `most`. */
  perEndpoint: { least: number; most: number };
};

/** Whose attempts count together. */
export type Recipient = { endpointId: string; organizationId: string };

/** Which slots are free, with those that a claim is about to fill counted as taken. */
export type SlotPlan = {
  /** How many more attempts of a recipient may start that has `pending` deliveries due beside those that run. */
  room(recipient: Recipient, pending: number): number;
  /** Counts `count` attempts as started, for this plan only. */
  take(recipient: Recipient, count: number): void;
};

/** The attempts that run at once: few per endpoint, so that one that hangs delays no other; bounded in all. */
export type EndpointSlots = {
  /** How many more may start in all. */
  free(): number;
  /** How many more a recipient may start that has `pending` deliveries due beside those that run. */
  room(recipient: Recipient, pending: number): number;
  plan(): SlotPlan;
  /**
   * Runs an attempt. The recipient's slot is free once `work` calls `responded`, at its end at the latest; the slot
   * in all then.
   */
  run(recipient: Recipient, work: (responded: () => void) => Promise<void>): void;
  idle(): Promise<void>;
};

/**
 * One slot for so many deliveries that are due. A receiver that responds within a second never needs more than the least;
 * one that hangs holds each slot for 30 s, and only more of them keep its first attempts from coming late.
 */
const PENDING_PER_SLOT = 5;

/** `onFree` is called whenever an endpoint has a slot free again, and when there is one in all again. */
export function createEndpointSlots(
  limits: SlotLimits,
  { onFree }: { onFree: (recipient: Recipient) => void },
): EndpointSlots {
  const works = new Set<Promise<void>>();
  const endpoints = createTally();
  const organizations = createTally();

  const plan = (): SlotPlan => {
    const planned = { total: 0, endpoints: createTally(), organizations: createTally() };
    return {
      room: ({ endpointId, organizationId }, pending) => {
        const own = endpoints.count(endpointId) + planned.endpoints.count(endpointId);
        const ofOrganization =
          organizations.count(organizationId) + planned.organizations.count(organizationId);
        const free = limits.total - works.size - planned.total;
        const common = free - limits.reserved;
        return Math.max(
          0,
          Math.min(
            slotsOf(limits.perEndpoint, pending + own) - own,
            limits.perOrganization - ofOrganization,
            own === 0 ? Math.min(free, Math.max(common, limits.perEndpoint.least)) : common,
          ),
        );
      },
      take: ({ endpointId, organizationId }, count) => {
        planned.total += count;
        planned.endpoints.add(endpointId, count);
        planned.organizations.add(organizationId, count);
      },
    };
  };

  return {
    free: () => limits.total - works.size,
    room: (recipient, pending) => plan().room(recipient, pending),
    plan,
    run: (recipient, work) => {
      endpoints.add(recipient.endpointId, 1);
      organizations.add(recipient.organizationId, 1);
      let isRunning = true;
      const responded = () => {
        if (!isRunning) return;
        isRunning = false;
        endpoints.add(recipient.endpointId, -1);
        organizations.add(recipient.organizationId, -1);
        onFree(recipient);
      };
      const done = work(responded).finally(() => {
        const wasFull = works.size >= limits.total;
        works.delete(done);
        responded();
        if (wasFull) onFree(recipient);
      });
      works.add(done);
    },
    idle: async () => {
      while (works.size > 0) await Promise.allSettled([...works]);
    },
  };
}

function slotsOf({ least, most }: SlotLimits['perEndpoint'], pending: number): number {
  return Math.min(most, Math.max(least, Math.floor(pending / PENDING_PER_SLOT)));
}

/** Counts by id; an id with nothing counted takes no memory. */
function createTally() {
  const counts = new Map<string, number>();
  const count = (id: string) => counts.get(id) ?? 0;
  return {
    count,
    add: (id: string, change: number) => {
      const sum = count(id) + change;
      if (sum === 0) counts.delete(id);
      else counts.set(id, sum);
    },
  };
}
