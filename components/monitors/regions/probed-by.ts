import type { Region } from '@/lib/schemas/monitor/region';
import { isOnePlace, nameRegions, nameRegionWithin, type RegionNames } from './name-region';

/** What the screens know of a region and of who probes there. */
export type ProbedRegion = {
  id: string;
  /** `this machine`, `probe-1`, `2 machines`, `no worker`, `no worker yet`. */
  probedBy: string;
  /** The IDs of the machines; empty without workers, and where they are of a version that does not tell. */
  machines: readonly string[];
};

/** A region as seen by a service on the machine `own`. */
export function toProbedRegion(
  { id, workers, machines, lastSeenAt }: Pick<Region, 'id' | 'workers' | 'machines' | 'lastSeenAt'>,
  own: string,
): ProbedRegion {
  return {
    id,
    probedBy: formatProbedBy({ workers, machines, lastSeenAt }, own),
    machines: machines.map((machine) => machine.id),
  };
}

function formatProbedBy(
  { workers, machines, lastSeenAt }: Pick<Region, 'workers' | 'machines' | 'lastSeenAt'>,
  own: string,
): string {
  const [only, ...others] = machines;
  if (workers === 0) return lastSeenAt === null ? 'no worker yet' : 'no worker';
  if (!only) return workers === 1 ? '1 worker' : `${workers} workers`;
  if (others.length > 0) return `${machines.length} machines`;
  return only.id === own ? 'this machine' : (only.host ?? '1 machine');
}

/**
 * `1 location, 3 labels` if fewer machines than regions probe for those that are chosen: they are not independent. Otherwise null, also
 * where that is unknown. Regions without a worker do not count.
 */
export function formatLocations(regions: readonly ProbedRegion[], chosen: readonly string[]): string | null {
  const served = regions.filter(({ id, machines }) => chosen.includes(id) && machines.length > 0);
  const locations = new Set(served.flatMap(({ machines }) => machines)).size;
  if (locations >= served.length) return null;
  return `${locations === 1 ? '1 location' : `${locations} locations`}, ${served.length} labels`;
}

/** From where a monitor is probed and by whom, in one line: `us-east, eu-west · this machine, probe-1`, or just `this machine`. */
export function formatProbing(
  regionNames: RegionNames,
  regions: readonly ProbedRegion[],
  chosen: readonly string[],
): string {
  const places = nameRegions(regionNames, chosen);
  if (places.every(isOnePlace))
    return chosen
      .slice(0, 1)
      .map((id) => nameRegionWithin(regionNames, id))
      .join();
  const names = regions.filter(({ id }) => chosen.includes(id)).map(({ probedBy }) => probedBy);
  const locations = formatLocations(regions, chosen);
  return [places.join(', '), ...(locations === null ? [] : [locations]), [...new Set(names)].join(', ')].join(
    ' · ',
  );
}
