import { MIN_PACE_PER_SECOND } from '@/lib/engine/checks/shards/schedule';

/** What proves that the network works, in a cell of the matrix. */
export const CANARIES = [
  'default',
  'default, resolver with a cache',
  'explicit',
  'explicit, retired long ago',
  'flapping',
  'ICMP blocked',
  'none that ever worked',
] as const;
export type Canary = (typeof CANARIES)[number];

/** A flapping canary responds for so long, and is silent for so long, in turns. */
export const FLAPPING_S = { responds: 25, silent: 10 };

/** Hosts in a directly attached subnet: `reachable` ones are on another link than the one that is cut. */
export const NEIGHBORS = ['none', 'reachable', 'cut'] as const;
export type Neighbors = (typeof NEIGHBORS)[number];

/** Which targets fail while the network works. */
export const OUTAGES = ['single', 'half', 'all but one'] as const;
export type Outage = (typeof OUTAGES)[number];

export const MONITORS = [1, 2, 6, 10, 50] as const;
export const INTERVALS_S = [30, 60, 300] as const;
export const THRESHOLDS = [1, 3] as const;

/** One cell for all thresholds, which are counted from the same results. */
export type Cell = {
  monitors: number;
  intervalS: number;
  confirms: boolean;
  neighbors: Neighbors;
  canary: Canary;
};

/** Whether a working proof exists before the cut: for targets behind the gateway, or for a neighbor that has it as its gateway. */
export function hasProof({ canary }: Pick<Cell, 'canary'>, isNeighbor = false): boolean {
  const without: readonly Canary[] = isNeighbor
    ? ['ICMP blocked', 'none that ever worked']
    : ['explicit, retired long ago', 'none that ever worked'];
  return !without.includes(canary);
}

/**
 * How much later than usual an outage of targets may alert, in seconds: as long as a failure is held; while a proof flaps, for
 * each failure as long as that, until the proof responds, the check's turn comes among those that are made again, and it has timed out.
 */
export function allowedDelay({ canary, monitors }: Cell, threshold: number): number {
  return canary === 'flapping' ? (37 + monitors / MIN_PACE_PER_SECOND) * threshold : 10.5;
}

/** The cells of the whole matrix, or of what is asked for. */
export function listCells({
  monitors = MONITORS,
  intervals = INTERVALS_S,
  neighbors = NEIGHBORS,
}: {
  monitors?: readonly number[];
  intervals?: readonly number[];
  neighbors?: readonly Neighbors[];
} = {}): Cell[] {
  return CANARIES.flatMap((canary) =>
    monitors.flatMap((count) =>
      intervals.flatMap((intervalS) =>
        neighbors.flatMap((each) =>
          [false, true].map((confirms) => ({
            monitors: count,
            intervalS,
            confirms,
            neighbors: each,
            canary,
          })),
        ),
      ),
    ),
  );
}

/** Whether a target itself fails in an outage. */
export function isDown(outage: Outage, index: number, count: number): boolean {
  if (outage === 'half') return index % 2 === 0;
  if (outage === 'all but one') return count === 1 || index > 0;
  return index === 0;
}
