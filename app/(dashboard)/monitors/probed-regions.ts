import 'server-only';
import { type ProbedRegion, toProbedRegion } from '@/components/monitors/regions/probed-by';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { listRegions } from '@/lib/domain/regions/list-regions';
import { getEnvironment } from '@/lib/env';
import { readMachine } from '@/lib/platform/machine/machine';

/** A region for people: own ones have a name, built-in ones are known by their ID. */
export type NamedRegion = ProbedRegion & { name: string; location: string };

/** Who probes from each region. Strangers who may sign up see neither host names nor which machine is ours. */
export async function readProbedRegions(ctx: OrganizationContext): Promise<NamedRegion[]> {
  const showsHosts = getEnvironment().SIGN_UP !== 'open';
  const own = showsHosts ? readMachine().id : '';
  return (await listRegions(ctx, { showsHosts })).map((region) => {
    const name = region.isOwn ? region.name : region.id;
    return { ...toProbedRegion(region, own), name, location: region.location };
  });
}
