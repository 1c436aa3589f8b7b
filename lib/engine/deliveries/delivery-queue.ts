import { groupBy } from '@/lib/core/groups';
import type { Recipient, SlotPlan } from './endpoint-slots';
import type { Candidate } from './find-deliveries';

/** The endpoints whose first attempts, or retries, a search can skip. */
export type Stocked = { first: string[]; retries: string[] };
type Kind = keyof Stocked;
type Stock = { candidates: Candidate[]; mayHaveMore: boolean };
type Shelf = { recipient: Recipient } & Record<Kind, Stock>;

const KINDS: readonly Kind[] = ['first', 'retries'];

/**
 * Creates a queue of candidates found due, in the order to attempt them, until a slot is free. They are not
 * claims: nothing has to be released, and a hanging endpoint keeps nothing from other workers. A search
 * returns at most `depth` per endpoint and kind; at `low` or fewer it is time for the next.
 */
export function createDeliveryQueue({ depth, low }: { depth: number; low: number }) {
  return new Shelves(depth, low);
}

class Shelves {
  readonly #depth: number;
  readonly #low: number;
  readonly #shelves = new Map<string, Shelf>();
  #manual: Candidate[] = [];

  constructor(depth: number, low: number) {
    this.#depth = depth;
    this.#low = low;
  }

  /** The endpoints with enough candidates of a kind; a search can skip them. */
  stocked(): Stocked {
    const idsOf = (kind: Kind) =>
      [...this.#shelves].filter(([, shelf]) => this.#isStocked(shelf[kind])).map(([id]) => id);
    return { first: idsOf('first'), retries: idsOf('retries') };
  }

  /** The endpoints running out of candidates although more are pending. */
  low(): Recipient[] {
    return [...this.#shelves.values()]
      .filter((shelf) => KINDS.some((kind) => shelf[kind].mayHaveMore && !this.#isStocked(shelf[kind])))
      .map(({ recipient }) => recipient);
  }

  /** Known due deliveries of an endpoint; infinite if a search did not find them all. */
  readonly pending = (endpointId: string): number => countPending(this.#shelves.get(endpointId));

  /** Adds the result of a search of everything not stocked, or of `only` these endpoints. */
  fill(found: Candidate[], { only, isCut }: { only?: string[]; isCut: boolean }): void {
    this.#manual = found.filter((candidate) => candidate.manual);
    for (const kind of KINDS) {
      this.#dropSearched(kind, only);
      const scheduled = found.filter((one) => !one.manual && one.isRetry === (kind === 'retries'));
      for (const [endpointId, candidates] of groupBy(scheduled, (one) => one.endpointId)) {
        const shelf = this.#shelves.get(endpointId) ?? emptyShelf(candidates);
        shelf[kind] = { candidates, mayHaveMore: isCut || candidates.length >= this.#depth };
        this.#shelves.set(endpointId, shelf);
      }
    }
  }

  /** Removes candidates as `plan` allows: manual ones, first attempts, retries. */
  take(limit: number, plan: SlotPlan): Candidate[] {
    const taken = this.#takeManual(limit, plan);
    for (const [endpointId, shelf] of [...this.#shelves]) {
      const count = Math.min(plan.available(shelf.recipient, countPending(shelf)), limit - taken.length);
      if (count <= 0) continue;
      const first = shelf.first.candidates.splice(0, count);
      const own = [...first, ...shelf.retries.candidates.splice(0, count - first.length)];
      plan.take(shelf.recipient, own.length);
      taken.push(...own);
      // Move it behind the others, so that scarce slots rotate.
      this.#shelves.delete(endpointId);
      if (!isEmpty(shelf)) this.#shelves.set(endpointId, shelf);
    }
    return taken;
  }

  /** Another worker is taking from the same end: continue at a random place to avoid further collisions. */
  scatter(endpointId: string): void {
    const shelf = this.#shelves.get(endpointId);
    if (!shelf) return;
    for (const kind of KINDS) {
      const { candidates } = shelf[kind];
      const cut = Math.floor(Math.random() * candidates.length);
      shelf[kind].candidates = [...candidates.slice(cut), ...candidates.slice(0, cut)];
    }
  }

  clear(): void {
    this.#shelves.clear();
    this.#manual = [];
  }

  #isStocked({ candidates }: Stock): boolean {
    return candidates.length > this.#low;
  }

  #dropSearched(kind: Kind, only: string[] | undefined): void {
    for (const [endpointId, shelf] of [...this.#shelves]) {
      const wasSearched = only ? only.includes(endpointId) : !this.#isStocked(shelf[kind]);
      if (wasSearched) shelf[kind] = { candidates: [], mayHaveMore: false };
      if (isEmpty(shelf)) this.#shelves.delete(endpointId);
    }
  }

  #takeManual(limit: number, plan: SlotPlan): Candidate[] {
    const taken: Candidate[] = [];
    this.#manual = this.#manual.filter((candidate) => {
      if (taken.length >= limit || plan.available(candidate, this.pending(candidate.endpointId)) < 1)
        return true;
      plan.take(candidate, 1);
      taken.push(candidate);
      return false;
    });
    return taken;
  }
}

function isEmpty(shelf: Shelf): boolean {
  return KINDS.every((kind) => shelf[kind].candidates.length === 0 && !shelf[kind].mayHaveMore);
}

function countPending(shelf: Shelf | undefined): number {
  return KINDS.reduce((sum, kind) => {
    const stock = shelf?.[kind];
    return sum + (stock?.mayHaveMore ? Number.POSITIVE_INFINITY : (stock?.candidates.length ?? 0));
  }, 0);
}

function emptyShelf([first]: Candidate[]): Shelf {
  if (!first) throw new Error('a shelf needs at least one candidate');
  const { endpointId, organizationId } = first;
  const stock = () => ({ candidates: [], mayHaveMore: false });
  return { recipient: { endpointId, organizationId }, first: stock(), retries: stock() };
}
