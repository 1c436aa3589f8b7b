import type { Lateness } from './measure-lateness';
import type { Updates } from './measure-storage';

/** What a run found. Times in milliseconds, sizes in bytes, where the name does not say otherwise. */
export type Figures = {
  monitors: number;
  interval: number;
  seconds: number;
  hanging: number;
  checks: number;
  lateness: Lateness;
  cpu: { workerPerCheck: number; postgresPerCheck: number };
  worker: { residentAtMost: number };
  storage: { rows: number; heapPerRow: number; indexPerRow: number; bytesPerRow: number };
  walPerCheck: number;
  commitsPerSecond: number;
  updates: Updates[];
};

type Limit = { name: string; value: number; below: number };

/** What issue 3 holds the engine to. Bytes may be reached, the others must stay below. */
function listLimits({ lateness, worker, storage }: Figures): Limit[] {
  return [
    { name: 'lateness p99 (ms)', value: lateness.p99, below: 2000 },
    { name: 'resident memory (MB)', value: worker.residentAtMost / 1e6, below: 400 },
    { name: 'bytes per check', value: storage.bytesPerRow, below: 120.0001 },
  ];
}

/** The limits that a run broke, in words; none when it kept them. */
export function findBrokenLimits(figures: Figures): string[] {
  return listLimits(figures)
    .filter(({ value, below }) => !(value < below))
    .map(({ name, value, below }) => `${name} is ${value.toFixed(1)}; the limit is ${Math.floor(below)}`);
}
