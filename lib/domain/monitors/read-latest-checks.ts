import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { REGION_IDS } from '@/lib/schemas/regions';
import type { CheckResult } from '@/lib/schemas/result';
import { listResults } from './list-results';

/** How many checks are looked at: enough for each region to be among them, also where one is late. */
const LOOKED_AT = 30;

/** The latest check of each region that reports, in the order of regions, in two queries. Throws NOT_FOUND. */
export async function readLatestChecks(ctx: OrganizationContext, id: string): Promise<CheckResult[]> {
  const { items } = await listResults(ctx, id, { limit: LOOKED_AT });
  return REGION_IDS.flatMap((region) => items.find((result) => result.region === region) ?? []);
}
