import type { Logger } from '@/lib/core/logger';
import type { Services } from '@/lib/domain/context/services';
import { TIMEOUT_MS } from '@/lib/domain/webhooks/send-delivery';
import { createLostClaims, type LostClaims } from '@/lib/engine/runtime/lost-claims';
import { releaseAttempts, releaseLostAttempts } from '@/lib/engine/runtime/release-claims';
import { type ClaimedDelivery, claimDeliveries, createAttemptIds, LEASE_SECONDS } from './claim-deliveries';
import { createDeliveryQueue } from './delivery-queue';
import type { EndpointSlots, Recipient } from './endpoint-slots';
import { type Candidate, findDueDeliveries } from './find-deliveries';
import { createPrefetchedClaims } from './prefetched-claims';

/** Deliveries per endpoint and search: a search costs about the same for one and for many. */
const DEPTH = 200;
const LOW = 50;
const MAX_CLAIM = 200;
/** A claimed attempt without a slot for this long is released: its endpoint has stopped responding. */
const MAX_WAIT_MS = 1000;

/** A claim that took longer is released: its leases can end during the attempts, and another worker may make the same. */
const MAX_CLAIM_MS = LEASE_SECONDS * 1000 - TIMEOUT_MS;

type PumpOptions = {
  services: Services;
  workerId: string;
  slots: EndpointSlots;
  begin: (delivery: ClaimedDelivery) => void;
  signal: AbortSignal;
  log: Logger;
};

/** Finds, claims and starts attempts, one step at a time, so that no endpoint ever exceeds its slots. */
export type DeliveryPump = Pick<Pump, keyof Pump>;

/** Creates a pump; `begin` takes a slot for an attempt and makes it. Starts nothing after `signal`. */
export function createDeliveryPump(options: PumpOptions): DeliveryPump {
  return new Pump(options);
}

class Pump {
  readonly #options: PumpOptions;
  readonly #queue = createDeliveryQueue({ depth: DEPTH, low: LOW });
  readonly #prefetched = createPrefetchedClaims();
  readonly #lost: LostClaims<string>;
  #last: Promise<unknown> = Promise.resolve();
  #steps = 0;
  #isClaimRequested = false;
  #claimMs = 0;

  constructor(options: PumpOptions) {
    const { services, workerId } = options;
    this.#options = options;
    this.#lost = createLostClaims((attemptIds) => releaseLostAttempts(services, { workerId, attemptIds }));
  }

  /** Starts due work as slots allow. Returns how much was claimed, and whether there is more to find. */
  start(now: Date): Promise<{ claimed: number; isCut: boolean }> {
    return this.#step(async () => {
      const isCut = await this.#search(now);
      return { claimed: await this.#claim(), isCut };
    });
  }

  /** An endpoint has a free slot: continue with its known work. */
  refill(recipient: Recipient): void {
    this.#prefetched.noteResponse(recipient.endpointId);
    this.#beginReady(recipient);
    this.#requestClaim();
  }

  /** Whether no step is running or requested, and nothing is claimed ahead. */
  isIdle(): boolean {
    return this.#steps === 0 && this.#prefetched.size() === 0;
  }

  /** Resolves when no step is running or requested. */
  async settled(): Promise<void> {
    while (this.#steps > 0) await this.#last;
  }

  release(): Promise<void> {
    return this.#step(() => this.#release(0));
  }

  #step<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#steps += 1;
    const done = this.#last.then(work).finally(() => {
      this.#steps -= 1;
    });
    this.#last = done.catch(() => undefined);
    return done;
  }

  async #search(now: Date, only?: string[]): Promise<boolean> {
    const { services } = this.#options;
    await this.#lost.release();
    const endpoints = only ? { only } : { except: this.#queue.stocked() };
    const { found, isCut } = await findDueDeliveries(services, { now, depth: DEPTH, endpoints });
    this.#queue.fill(found, { only, isCut });
    if (services.races) await services.races.reach('deliveries found');
    return isCut;
  }

  async #claim(): Promise<number> {
    const { services, workerId, signal } = this.#options;
    if (signal.aborted) return 0;
    const candidates = this.#takeCandidates();
    if (candidates.length === 0) return 0;
    const [begun, claimedAt] = [performance.now(), services.clock.now()];
    const attemptIds = createAttemptIds(candidates);
    const claimed = await this.#lost.track(attemptIds, () =>
      claimDeliveries(services, { candidates, workerId, attemptIds }),
    );
    this.#claimMs += (performance.now() - begun - this.#claimMs) / 4;
    if (services.clock.now().getTime() - claimedAt.getTime() > MAX_CLAIM_MS) {
      await releaseAttempts(services, claimed);
      return 0;
    }
    this.#prefetched.add(claimed);
    for (const one of new Map(claimed.map((delivery) => [delivery.endpointId, delivery])).values())
      this.#beginReady(one);
    if (claimed.length < candidates.length) this.#avoidCollisions(candidates, claimed);
    if (this.#prefetched.size() > 0)
      setTimeout(() => void this.#step(() => this.#release(MAX_WAIT_MS)), MAX_WAIT_MS).unref();
    return claimed.length;
  }

  #takeCandidates(): Candidate[] {
    const { slots } = this.#options;
    const plan = slots.plan();
    const available = (recipient: Recipient, pending: number) => {
      const ready = this.#prefetched.ready(recipient.endpointId);
      return this.#withPrefetch(recipient, plan.available(recipient, pending + ready));
    };
    const limit = Math.min(slots.free() - this.#prefetched.size(), MAX_CLAIM);
    return this.#queue.take(limit, { available, take: plan.take });
  }

  /** Candidates that are gone were claimed by another worker going through the same backlog. */
  #avoidCollisions(candidates: Candidate[], claimed: ClaimedDelivery[]): void {
    const ours = new Set(claimed.map(({ id }) => id));
    const taken = candidates.filter(({ id }) => !ours.has(id));
    for (const endpointId of new Set(taken.map((one) => one.endpointId))) this.#queue.scatter(endpointId);
    this.#requestClaim();
  }

  #freeSlotsOf(recipient: Recipient): number {
    const { endpointId } = recipient;
    const known = this.#queue.pending(endpointId) + this.#prefetched.ready(endpointId);
    return this.#options.slots.available(recipient, known);
  }

  #withPrefetch({ endpointId }: Recipient, free: number): number {
    return this.#prefetched.claimable(endpointId, free, this.#claimMs);
  }

  #beginReady(recipient: Recipient): void {
    const { signal, begin } = this.#options;
    while (!signal.aborted && this.#freeSlotsOf(recipient) > 0) {
      const delivery = this.#prefetched.next(recipient.endpointId);
      if (!delivery) return;
      begin(delivery);
    }
  }

  #requestClaim(): void {
    if (this.#isClaimRequested) return;
    this.#isClaimRequested = true;
    this.#step(() => this.#claimRequested()).catch((error: unknown) => {
      // The next drain searches again; these candidates may be stale by then.
      this.#queue.clear();
      this.#options.log.error({ work: 'deliveries', err: error }, 'could not claim deliveries; retrying');
    });
  }

  async #claimRequested(): Promise<void> {
    this.#isClaimRequested = false;
    const low = this.#queue
      .low()
      .filter((recipient) => this.#withPrefetch(recipient, this.#freeSlotsOf(recipient)) > 0)
      .map(({ endpointId }) => endpointId);
    if (low.length > 0) await this.#search(this.#options.services.clock.now(), low);
    await this.#claim();
  }

  async #release(olderThanMs: number): Promise<void> {
    const { services, log } = this.#options;
    const unsent = this.#prefetched.takeOlder(olderThanMs);
    await releaseAttempts(services, unsent).catch((error: unknown) => {
      log.warn({ work: 'deliveries', err: error }, 'could not release claims; their leases will expire');
    });
  }
}
