import { createSlots } from '@/lib/engine/runtime/slots';

export type SlotLimits = {
  total: number;
  /** Part of the total for endpoints with nothing running, which never wait for others that hang. */
  reserved: number;
  perOrganization: number;
  /** Per endpoint: starts with `least` slots, and gets up to `most` as more deliveries are pending. */
  perEndpoint: { least: number; most: number };
};

/** Enough that neither a hundred hanging endpoints nor one organization's flood delays the others. */
export const DELIVERY_LIMITS: SlotLimits = {
  total: 600,
  reserved: 100,
  perOrganization: 150,
  perEndpoint: { least: 5, most: 60 },
};

/** The endpoint and organization whose attempts are counted together. */
export type Recipient = { endpointId: string; organizationId: string };

/** Concurrent attempts: few per endpoint, so that a hanging one delays no other; bounded in total. */
export type EndpointSlots = ReturnType<typeof createEndpointSlots>;

/** The free slots, counting those that a claim is about to fill as taken. */
export type SlotPlan = ReturnType<EndpointSlots['plan']>;

/**
 * Due deliveries per slot. A receiver that responds within a second never needs more than the minimum; one
 * that hangs holds each slot for 30 s, and only more slots keep its first attempts on time.
 */
const PENDING_PER_SLOT = 5;

/** `onFree` is called when an endpoint has a free slot again, and when the total has. */
export function createEndpointSlots(
  limits: SlotLimits,
  { onFree }: { onFree: (recipient: Recipient) => void },
) {
  const slots = createSlots(limits.total, () => undefined);
  const endpoints = createTally();
  const organizations = createTally();

  const plan = () => {
    const planned = { total: 0, endpoints: createTally(), organizations: createTally() };
    return {
      /** How many more attempts a recipient with `pending` due deliveries may start. */
      available: ({ endpointId, organizationId }: Recipient, pending: number): number => {
        const own = endpoints.count(endpointId) + planned.endpoints.count(endpointId);
        const organizationCount =
          organizations.count(organizationId) + planned.organizations.count(organizationId);
        const free = slots.free() - planned.total;
        const common = free - limits.reserved;
        const { least, most } = limits.perEndpoint;
        const granted = Math.min(most, Math.max(least, Math.floor((pending + own) / PENDING_PER_SLOT)));
        return Math.max(
          0,
          Math.min(
            granted - own,
            limits.perOrganization - organizationCount,
            own === 0 ? Math.min(free, Math.max(common, least)) : common,
          ),
        );
      },
      /** Counts `count` attempts as started, in this plan only. */
      take: ({ endpointId, organizationId }: Recipient, count: number): void => {
        planned.total += count;
        planned.endpoints.add(endpointId, count);
        planned.organizations.add(organizationId, count);
      },
    };
  };

  return {
    free: slots.free,
    available: (recipient: Recipient, pending: number): number => plan().available(recipient, pending),
    plan,
    /** Runs an attempt. Its end frees the total slot; `responded` already frees the recipient's. */
    run: (recipient: Recipient, work: (responded: () => void) => Promise<void>): void => {
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
      const done = work(responded);
      const release = slots.take();
      void done.finally(() => {
        const wasFull = release();
        responded();
        if (wasFull) onFree(recipient);
      });
    },
    idle: slots.idle,
  };
}

/** Counts by id; ids with a count of zero use no memory. */
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
