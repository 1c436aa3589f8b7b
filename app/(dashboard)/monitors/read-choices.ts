import 'server-only';
import type { FormChoices } from '@/components/monitors/form/monitor-field';
import { readMe } from '@/lib/domain/api-keys/read-api-keys';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { FORM_FIELDS } from '@/lib/schemas/monitor/fields';
import { isBuiltInRegionId } from '@/lib/schemas/regions';
import { readProbedRegions } from './probed-regions';

/** The choices of the form, and the plan's monitor limit if it is reached. */
export async function readChoices(
  ctx: OrganizationContext,
): Promise<{ choices: FormChoices; limitReached: number | null }> {
  const [{ limits, usage }, probed] = await Promise.all([readMe(ctx), readProbedRegions(ctx)]);
  const isFull = limits.monitors !== null && usage.monitors >= limits.monitors;
  return {
    limitReached: isFull ? limits.monitors : null,
    choices: {
      fields: FORM_FIELDS,
      regions: probed.map((region) => {
        const { id } = region;
        const isInPlan = isBuiltInRegionId(id) ? limits.regions.includes(id) : limits.ownRegions > 0;
        return { ...region, isInPlan };
      }),
    },
  };
}
