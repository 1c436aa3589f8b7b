import type { Violation } from './checker';

/**
 * How many times as fast as real time processes can live on a machine that is `slowness` times as slow as two quiet cores, if they live
 * `factor` times as fast there. The plan stays the same; it takes longer.
 */
export function choosePace(factor: number, slowness: number): number {
  return Math.max(1, Math.round(factor / slowness));
}

/**
 * How many times as fast as real time a plan runs again if it broke something that may be the machine's doing: half as fast, or null if all is
 * the product's. At factor 10, 200 ms in which something else had the processor or the disk are the 2 s after which health gives up; what else
 * broke in a run that could not keep up may follow from that.
 */
export function choosePaceAfter(broken: readonly Violation[], pace: number): number | null {
  if (pace === 1 || !broken.some(({ dependsOnPace }) => dependsOnPace)) return null;
  return Math.floor(pace / 2);
}
