import type { Logger } from '@/lib/core/logger';
import type { Services } from '@/lib/domain/context/services';
import { TIMEOUT_MS } from '@/lib/domain/webhooks/send-delivery';
import { createLostClaims } from '@/lib/engine/runtime/lost-claims';
import { releaseAttempts, releaseLostAttempts } from '@/lib/engine/runtime/release-claims';
import { type ClaimedDelivery, claimDeliveries, createAttemptIds, LEASE_SECONDS } from './claim-deliveries';
import { createDeliveryQueue } from './delivery-queue';
import type { EndpointSlots, Recipient } from './endpoint-slots';
import { findDueDeliveries } from './find-deliveries';
import { createPrefetchedClaims } from './prefetched-claims';

/** Deliveries per endpoint and search: a search costs about the same for one and for many. */
const DEPTH = 200;
const LOW = 50;
const MAX_CLAIM = 200;
/** A claimed attempt without a slot for this long is released: its endpoint has stopped responding. */
const MAX_WAIT_MS = 1000;

/** A claim that took longer is released: its leases can end during the attempts, and another worker may make the same. */
const MAX_CLAIM_MS = LEASE_SECONDS * 1000 - TIMEOUT_MS;

/** Finds, claims and starts attempts, one step at a time, so that no endpoint ever exceeds its slots. */
export type DeliveryPump = ReturnType<typeof createDeliveryPump>;

/** Creates a pump; `begin` takes a slot for an attempt and makes it. Starts nothing after `signal`. */
export function createDeliveryPump({
  services,
  workerId,
  slots,
  begin,
  signal,
  log,
}: {
  services: Services;
  workerId: string;
  slots: EndpointSlots;
  begin: (delivery: ClaimedDelivery) => void;
  signal: AbortSignal;
  log: Logger;
}) {
  const queue = createDeliveryQueue({ depth: DEPTH, low: LOW });
  const prefetched = createPrefetchedClaims();
  let last: Promise<unknown> = Promise.resolve();
  let steps = 0;
  let isClaimRequested = false;
  let claimMs = 0;
  const lost = createLostClaims((attemptIds: string[]) =>
    releaseLostAttempts(services, { workerId, attemptIds }),
  );

  const step = <Result>(work: () => Promise<Result>): Promise<Result> => {
    steps += 1;
    const done = last.then(work).finally(() => {
      steps -= 1;
    });
    last = done.catch(() => undefined);
    return done;
  };

  const search = async (now: Date, only?: string[]) => {
    await lost.release();
    const endpoints = only ? { only } : { except: queue.stocked() };
    const { found, isCut } = await findDueDeliveries(services, { now, depth: DEPTH, endpoints });
    queue.fill(found, { only, isCut });
    if (services.races) await services.races.reach('deliveries found');
    return isCut;
  };

  const freeSlotsOf = (recipient: Recipient) =>
    slots.available(recipient, queue.pending(recipient.endpointId) + prefetched.ready(recipient.endpointId));
  const withPrefetch = (recipient: Recipient, free: number) =>
    prefetched.claimable(recipient.endpointId, free, claimMs);

  const claim = async (): Promise<number> => {
    if (signal.aborted) return 0;
    const plan = slots.plan();
    const candidates = queue.take(Math.min(slots.free() - prefetched.size(), MAX_CLAIM), {
      available: (recipient, pending) =>
        withPrefetch(recipient, plan.available(recipient, pending + prefetched.ready(recipient.endpointId))),
      take: plan.take,
    });
    if (candidates.length === 0) return 0;
    const [begun, claimedAt] = [performance.now(), services.clock.now()];
    const attemptIds = createAttemptIds(candidates);
    const claimed = await lost.track(attemptIds, () =>
      claimDeliveries(services, { candidates, workerId, attemptIds }),
    );
    claimMs += (performance.now() - begun - claimMs) / 4;
    if (services.clock.now().getTime() - claimedAt.getTime() > MAX_CLAIM_MS) {
      await releaseAttempts(services, claimed);
      return 0;
    }
    prefetched.add(claimed);
    for (const one of new Map(claimed.map((delivery) => [delivery.endpointId, delivery])).values())
      beginReady(one);
    if (claimed.length < candidates.length) avoidCollisions(candidates, claimed);
    if (prefetched.size() > 0) setTimeout(releaseLate, MAX_WAIT_MS).unref();
    return claimed.length;
  };

  /** Candidates that are gone were claimed by another worker going through the same backlog. */
  const avoidCollisions = (candidates: { id: string; endpointId: string }[], claimed: ClaimedDelivery[]) => {
    const ours = new Set(claimed.map(({ id }) => id));
    const taken = candidates.filter(({ id }) => !ours.has(id));
    for (const endpointId of new Set(taken.map((one) => one.endpointId))) queue.scatter(endpointId);
    requestClaim();
  };

  const beginReady = (recipient: Recipient) => {
    while (!signal.aborted && freeSlotsOf(recipient) > 0) {
      const delivery = prefetched.next(recipient.endpointId);
      if (!delivery) return;
      begin(delivery);
    }
  };

  const requestClaim = () => {
    if (isClaimRequested) return;
    isClaimRequested = true;
    step(async () => {
      isClaimRequested = false;
      const low = queue.low().filter((recipient) => withPrefetch(recipient, freeSlotsOf(recipient)) > 0);
      if (low.length > 0)
        await search(
          services.clock.now(),
          low.map(({ endpointId }) => endpointId),
        );
      await claim();
    }).catch((error: unknown) => {
      // The next drain searches again; these candidates may be stale by then.
      queue.clear();
      log.error({ work: 'deliveries', err: error }, 'could not claim deliveries; retrying');
    });
  };

  const release = async (olderThanMs: number) => {
    const unsent = prefetched.takeOlder(olderThanMs);
    await releaseAttempts(services, unsent).catch((error: unknown) => {
      log.warn({ work: 'deliveries', err: error }, 'could not release claims; their leases will expire');
    });
  };
  const releaseLate = () => void step(() => release(MAX_WAIT_MS));

  return {
    /** Starts due work as slots allow. Returns how much was claimed, and whether there is more to find. */
    start: (now: Date): Promise<{ claimed: number; isCut: boolean }> =>
      step(async () => {
        const isCut = await search(now);
        return { claimed: await claim(), isCut };
      }),
    /** An endpoint has a free slot: continue with its known work. */
    refill: (recipient: Recipient): void => {
      prefetched.noteResponse(recipient.endpointId);
      beginReady(recipient);
      requestClaim();
    },
    /** Whether no step is running or requested, and nothing is claimed ahead. */
    isIdle: (): boolean => steps === 0 && prefetched.size() === 0,
    /** Resolves when no step is running or requested. */
    settled: async (): Promise<void> => {
      while (steps > 0) await last;
    },
    release: (): Promise<void> => step(() => release(0)),
  };
}
