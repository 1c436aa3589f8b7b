import 'server-only';
import type { FormChoices } from '@/components/monitors/form/monitor-field';
import { nameRegion } from '@/components/monitors/regions/name-region';
import { readMe } from '@/lib/domain/api-keys/read-api-keys';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { listMonitorNames } from '@/lib/domain/monitors/lists/list-monitors';
import { FORM_FIELDS } from '@/lib/schemas/monitor/fields';
import { isBuiltInRegionId } from '@/lib/schemas/regions';
import { loadWorkerNotes } from '../act';
import { readProbedRegions } from './probed-regions';

/** The choices of the form of a monitor, null for a new one, and the plan's monitor limit if it is reached. */
export async function readChoices(
  ctx: OrganizationContext,
  id: string | null,
): Promise<{ choices: FormChoices; limitReached: number | null }> {
  const [{ limits, usage }, probed, monitors, { regionNames }] = await Promise.all([
    readMe(ctx),
    readProbedRegions(ctx),
    listMonitorNames(ctx),
    loadWorkerNotes(),
  ]);
  const isFull = limits.monitors !== null && usage.monitors >= limits.monitors;
  return {
    limitReached: isFull ? limits.monitors : null,
    choices: {
      fields: FORM_FIELDS,
      regions: probed.map((region) => {
        const { id } = region;
        const isInPlan = isBuiltInRegionId(id) ? limits.regions.includes(id) : limits.ownRegions > 0;
        return { ...region, name: nameRegion(regionNames, id), isInPlan };
      }),
      monitors: monitors.filter((other) => other.id !== id),
    },
  };
}
