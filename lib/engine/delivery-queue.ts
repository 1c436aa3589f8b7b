import type { Candidate } from './find-deliveries';

/**
 * What was found due, in the order in which it is to be tried, until there is place for it. Holds candidates, not claims:
 * nothing has to be given back, and an endpoint that hangs keeps nothing from another worker.
 */
export type DeliveryQueue = {
  /** The endpoints that have candidates enough: a search can leave them out. */
  stocked(): string[];
  /** The endpoints that are running out of candidates although more wait. */
  low(): string[];
  /** Takes over what a search found of all endpoints that are not stocked, or of `only` these. */
  fill(found: Candidate[], search: { only?: string[]; isCut: boolean }): void;
  /** Takes out at most `limit` candidates, of each endpoint as many as it has places; those asked for by hand first. */
  take(limit: number, places: (endpointId: string) => number): Candidate[];
  /** Another worker takes from the same end: go on elsewhere, so that the two do not stay beside each other. */
  scatter(endpointId: string): void;
  clear(): void;
};

type Stock = { waiting: Candidate[]; mayHaveMore: boolean };

/** A queue of searches that answer at most `depth` of an endpoint; with `low` or fewer left it is time for the next. */
export function createDeliveryQueue({ depth, low }: { depth: number; low: number }): DeliveryQueue {
  const stocks = new Map<string, Stock>();
  let asked: Candidate[] = [];
  const listEndpoints = (fits: (stock: Stock) => boolean) =>
    [...stocks].filter(([, stock]) => fits(stock)).map(([endpointId]) => endpointId);
  const isStocked = ({ waiting }: Stock) => waiting.length > low;

  return {
    stocked: () => listEndpoints(isStocked),
    low: () => listEndpoints((stock) => stock.mayHaveMore && !isStocked(stock)),
    fill: (found, { only, isCut }) => {
      for (const endpointId of only ?? listEndpoints((stock) => !isStocked(stock))) stocks.delete(endpointId);
      asked = found.filter(({ manual }) => manual);
      const byEndpoint = new Map<string, Candidate[]>();
      for (const candidate of found.filter(({ manual }) => !manual)) {
        const own = byEndpoint.get(candidate.endpointId);
        if (own) own.push(candidate);
        else byEndpoint.set(candidate.endpointId, [candidate]);
      }
      for (const [endpointId, waiting] of byEndpoint) {
        stocks.set(endpointId, { waiting, mayHaveMore: isCut || waiting.length >= depth });
      }
    },
    take: (limit, places) => {
      const taken: Candidate[] = [];
      const left = new Map<string, number>();
      const room = (endpointId: string) => left.get(endpointId) ?? places(endpointId);
      asked = asked.filter((candidate) => {
        const free = room(candidate.endpointId);
        if (free <= 0 || taken.length >= limit) return true;
        left.set(candidate.endpointId, free - 1);
        taken.push(candidate);
        return false;
      });
      for (const [endpointId, stock] of [...stocks]) {
        const count = Math.min(room(endpointId), limit - taken.length);
        if (count <= 0) continue;
        taken.push(...stock.waiting.splice(0, count));
        // Behind the others, so that what is short of places in all goes round.
        stocks.delete(endpointId);
        if (stock.waiting.length > 0 || stock.mayHaveMore) stocks.set(endpointId, stock);
      }
      return taken;
    },
    scatter: (endpointId) => {
      const stock = stocks.get(endpointId);
      if (!stock || stock.waiting.length === 0) return;
      const cut = Math.floor(Math.random() * stock.waiting.length);
      stock.waiting = [...stock.waiting.slice(cut), ...stock.waiting.slice(0, cut)];
    },
    clear: () => {
      stocks.clear();
      asked = [];
    },
  };
}
