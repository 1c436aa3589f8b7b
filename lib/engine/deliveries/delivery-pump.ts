import { describeError } from '@/lib/core/errors';
import type { Logger } from '@/lib/core/logger';
import type { Services } from '@/lib/domain/context/services';
import { releaseAttempts, releaseLostAttempts } from '@/lib/engine/runtime/release-claims';
import { type ClaimedDelivery, claimDeliveries, createAttemptIds } from './claim-deliveries';
import { createDeliveryQueue } from './delivery-queue';
import type { EndpointSlots, Recipient } from './endpoint-slots';
import { type Candidate, findDueDeliveries } from './find-deliveries';
import { createPrefetchedClaims } from './prefetched-claims';

/** How many deliveries of an endpoint are looked up at once: a search costs much the same for one and for many. */
const DEPTH = 200;
const LOW = 50;
const MAX_CLAIM = 200;
/** A try that was claimed and has no place after so long is given back: its endpoint answers no more. */
const LONGEST_WAIT_MS = 1000;

/** Finds, claims and begins tries, one step at a time, so that no endpoint ever gets more than its places. */
export type DeliveryPump = {
  /**
   * Looks for what is due at `now` and begins what there is place for. Answers how much was claimed, and whether
   * there is more to find.
   */
  start(now: Date): Promise<{ claimed: number; isCut: boolean }>;
  /** An endpoint has a slot free: goes on with what was found. */
  goOn(recipient: Recipient): void;
  /** Whether nothing is under way, asked for or claimed ahead. */
  isIdle(): boolean;
  /** Resolves when no step is under way or asked for. */
  settled(): Promise<void>;
  /** Gives back what was claimed and not begun. */
  giveBack(): Promise<void>;
};

/** A pump that hands each try to `begin`, which takes a place in `slots`; after `signal` nothing more is begun. */
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
}): DeliveryPump {
  const queue = createDeliveryQueue({ depth: DEPTH, low: LOW });
  const lanes = createPrefetchedClaims();
  let last: Promise<unknown> = Promise.resolve();
  let steps = 0;
  let isAskedFor = false;
  let claimMs = 0;
  let lost: string[] = [];

  const step = <Answer>(work: () => Promise<Answer>): Promise<Answer> => {
    steps += 1;
    const done = last.then(work).finally(() => {
      steps -= 1;
    });
    last = done.catch(() => undefined);
    return done;
  };

  const search = async (now: Date, only?: string[]) => {
    if (lost.length > 0) await releaseLostAttempts(services, { workerId, attemptIds: lost });
    lost = [];
    const endpoints = only ? { only } : { except: queue.stocked() };
    const { found, isCut } = await findDueDeliveries(services, { now, depth: DEPTH, endpoints });
    queue.fill(found, { only, isCut });
    return isCut;
  };

  const roomOf = (recipient: Recipient) =>
    slots.room(recipient, queue.pending(recipient.endpointId) + lanes.ready(recipient.endpointId));
  const withAhead = (recipient: Recipient, free: number) => lanes.room(recipient.endpointId, free, claimMs);

  const claim = async (): Promise<number> => {
    if (signal.aborted) return 0;
    const plan = slots.plan();
    const candidates = queue.take(Math.min(slots.free() - lanes.size(), MAX_CLAIM), {
      room: (recipient, pending) =>
        withAhead(recipient, plan.room(recipient, pending + lanes.ready(recipient.endpointId))),
      take: plan.take,
    });
    if (candidates.length === 0) return 0;
    const begun = performance.now();
    const claimed = await claimOrNote(candidates);
    claimMs += (performance.now() - begun - claimMs) / 4;
    lanes.add(claimed);
    for (const one of new Map(claimed.map((delivery) => [delivery.endpointId, delivery])).values())
      beginReady(one);
    if (claimed.length < candidates.length) avoidOthers(candidates, claimed);
    if (lanes.size() > 0) setTimeout(giveBackLate, LONGEST_WAIT_MS).unref();
    return claimed.length;
  };

  /** Whether a claim was made whose response is lost, nobody knows: it is given back before the next search. */
  const claimOrNote = async (candidates: Candidate[]): Promise<ClaimedDelivery[]> => {
    const attemptIds = createAttemptIds(candidates);
    try {
      return await claimDeliveries(services, { candidates, workerId, attemptIds });
    } catch (error) {
      lost.push(...attemptIds);
      throw error;
    }
  };

  /** What was not there any more another worker has taken, who goes through the same backlog. */
  const avoidOthers = (candidates: { id: string; endpointId: string }[], claimed: ClaimedDelivery[]) => {
    const ours = new Set(claimed.map(({ id }) => id));
    const lost = candidates.filter(({ id }) => !ours.has(id));
    for (const endpointId of new Set(lost.map((one) => one.endpointId))) queue.scatter(endpointId);
    askForClaim();
  };

  const beginReady = (recipient: Recipient) => {
    while (!signal.aborted && roomOf(recipient) > 0) {
      const delivery = lanes.next(recipient.endpointId);
      if (!delivery) return;
      begin(delivery);
    }
  };

  const askForClaim = () => {
    if (isAskedFor) return;
    isAskedFor = true;
    step(async () => {
      isAskedFor = false;
      const low = queue.low().filter((recipient) => withAhead(recipient, roomOf(recipient)) > 0);
      if (low.length > 0)
        await search(
          services.clock.now(),
          low.map(({ endpointId }) => endpointId),
        );
      await claim();
    }).catch((error: unknown) => {
      // The next drain looks again; what was found may be long gone by then.
      queue.clear();
      log.error({ error: describeError(error) }, 'deliveries could not be claimed');
    });
  };

  const giveBack = async (olderThanMs: number) => {
    const unsent = lanes.takeOlder(olderThanMs);
    await releaseAttempts(services, unsent).catch((error: unknown) => {
      log.warn({ error: describeError(error) }, 'claims could not be given back; their leases will end');
    });
  };
  const giveBackLate = () => void step(() => giveBack(LONGEST_WAIT_MS));

  return {
    start: (now) =>
      step(async () => {
        const isCut = await search(now);
        return { claimed: await claim(), isCut };
      }),
    goOn: (recipient) => {
      lanes.answered(recipient.endpointId);
      beginReady(recipient);
      askForClaim();
    },
    isIdle: () => steps === 0 && lanes.size() === 0,
    settled: async () => {
      while (steps > 0) await last;
    },
    giveBack: () => step(() => giveBack(0)),
  };
}
