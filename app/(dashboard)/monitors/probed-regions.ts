import 'server-only';
import { type ProbedRegion, toProbedRegion } from '@/components/monitors/regions/probed-by';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { listRegions } from '@/lib/domain/regions/list-regions';
import { getEnvironment } from '@/lib/env';
import { readMachine } from '@/lib/platform/machine/machine';

/** A region with the city where it is. */
export type LocatedRegion = ProbedRegion & { location: string };

/** Who probes from each region. Strangers who may sign up see neither host names nor which machine is ours. */
export async function readProbedRegions(ctx: OrganizationContext): Promise<LocatedRegion[]> {
  const own = findOwnMachine();
  const regions = await listRegions(ctx, { showsHosts: own !== null });
  return regions.map((region) => ({ ...toProbedRegion(region, own ?? ''), location: region.location }));
}

/** The ID of the machine of this process; null where strangers may sign up, who must not know which machine is ours. */
export function findOwnMachine(): string | null {
  return getEnvironment().SIGN_UP === 'open' ? null : readMachine().id;
}
