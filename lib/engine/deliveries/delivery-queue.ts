import type { Recipient, SlotPlan } from './endpoint-slots';
import type { Candidate } from './find-deliveries';

/** The endpoints of which a search can leave out first attempts, or retries. */
export type Stocked = { first: string[]; retries: string[] };

/**
 * What was found due, in the order in which it is to be attempted, until a slot is free. Holds candidates, not claims:
 * nothing has to be given back, and an endpoint that hangs keeps nothing from another worker.
 */
export type DeliveryQueue = {
  /** The endpoints that have candidates enough of a kind: a search can leave them out. */
  stocked(): Stocked;
  /** The endpoints that are running out of candidates although more are pending. */
  low(): Recipient[];
  /** How many deliveries of an endpoint are due, as far as is known; infinite where a search did not find them all. */
  pending(endpointId: string): number;
  /** Takes over what a search found of everything that is not stocked, or of `only` these endpoints. */
  fill(found: Candidate[], search: { only?: string[]; isCut: boolean }): void;
  /**
   * Takes out at most `limit` candidates, of each endpoint as many as `plan` has room for: manual ones, first
   * attempts, retries.
   */
  take(limit: number, plan: SlotPlan): Candidate[];
  /** Another worker takes from the same end: go on elsewhere, so that the two do not stay beside each other. */
  scatter(endpointId: string): void;
  clear(): void;
};

type Kind = keyof Stocked;
type Stock = { candidates: Candidate[]; mayHaveMore: boolean };
type Shelf = { recipient: Recipient } & Record<Kind, Stock>;

const KINDS: readonly Kind[] = ['first', 'retries'];

/**
 * A queue of searches that return at most `depth` of an endpoint and kind; with `low` or fewer left it is time for
 * the next.
 */
export function createDeliveryQueue({ depth, low }: { depth: number; low: number }): DeliveryQueue {
  const shelves = new Map<string, Shelf>();
  let manual: Candidate[] = [];
  const isStocked = ({ candidates }: Stock) => candidates.length > low;
  const stockedOf = (kind: Kind) =>
    [...shelves].filter(([, shelf]) => isStocked(shelf[kind])).map(([id]) => id);
  const isEmpty = (shelf: Shelf) =>
    KINDS.every((kind) => shelf[kind].candidates.length === 0 && !shelf[kind].mayHaveMore);
  const pendingOf = (shelf: Shelf | undefined) =>
    KINDS.reduce((sum, kind) => {
      const stock = shelf?.[kind];
      return sum + (stock?.mayHaveMore ? Number.POSITIVE_INFINITY : (stock?.candidates.length ?? 0));
    }, 0);

  const dropSearched = (kind: Kind, only: string[] | undefined) => {
    for (const [endpointId, shelf] of [...shelves]) {
      const wasSearched = only ? only.includes(endpointId) : !isStocked(shelf[kind]);
      if (wasSearched) shelf[kind] = { candidates: [], mayHaveMore: false };
      if (isEmpty(shelf)) shelves.delete(endpointId);
    }
  };

  return {
    stocked: () => ({ first: stockedOf('first'), retries: stockedOf('retries') }),
    low: () =>
      [...shelves.values()]
        .filter((shelf) => KINDS.some((kind) => shelf[kind].mayHaveMore && !isStocked(shelf[kind])))
        .map(({ recipient }) => recipient),
    pending: (endpointId) => pendingOf(shelves.get(endpointId)),
    fill: (found, { only, isCut }) => {
      manual = found.filter((candidate) => candidate.manual);
      for (const kind of KINDS) {
        dropSearched(kind, only);
        const scheduled = found.filter((one) => !one.manual && one.isRetry === (kind === 'retries'));
        for (const [endpointId, candidates] of groupByEndpoint(scheduled)) {
          const shelf = shelves.get(endpointId) ?? emptyShelf(candidates);
          shelf[kind] = { candidates, mayHaveMore: isCut || candidates.length >= depth };
          shelves.set(endpointId, shelf);
        }
      }
    },
    take: (limit, plan) => {
      const taken: Candidate[] = [];
      manual = manual.filter((candidate) => {
        if (taken.length >= limit || plan.room(candidate, pendingOf(shelves.get(candidate.endpointId))) < 1)
          return true;
        plan.take(candidate, 1);
        taken.push(candidate);
        return false;
      });
      for (const [endpointId, shelf] of [...shelves]) {
        const count = Math.min(plan.room(shelf.recipient, pendingOf(shelf)), limit - taken.length);
        if (count <= 0) continue;
        const first = shelf.first.candidates.splice(0, count);
        const own = [...first, ...shelf.retries.candidates.splice(0, count - first.length)];
        plan.take(shelf.recipient, own.length);
        taken.push(...own);
        // Behind the others, so that what is short of slots in all goes round.
        shelves.delete(endpointId);
        if (!isEmpty(shelf)) shelves.set(endpointId, shelf);
      }
      return taken;
    },
    scatter: (endpointId) => {
      const shelf = shelves.get(endpointId);
      if (!shelf) return;
      for (const kind of KINDS) {
        const { candidates } = shelf[kind];
        const cut = Math.floor(Math.random() * candidates.length);
        shelf[kind].candidates = [...candidates.slice(cut), ...candidates.slice(0, cut)];
      }
    },
    clear: () => {
      shelves.clear();
      manual = [];
    },
  };
}

function emptyShelf([first]: Candidate[]): Shelf {
  if (!first) throw new Error('a shelf is for the candidates of an endpoint');
  const { endpointId, organizationId } = first;
  const stock = () => ({ candidates: [], mayHaveMore: false });
  return { recipient: { endpointId, organizationId }, first: stock(), retries: stock() };
}

function groupByEndpoint(candidates: Candidate[]): Map<string, Candidate[]> {
  const groups = new Map<string, Candidate[]>();
  for (const candidate of candidates) {
    const own = groups.get(candidate.endpointId);
    if (own) own.push(candidate);
    else groups.set(candidate.endpointId, [candidate]);
  }
  return groups;
}
