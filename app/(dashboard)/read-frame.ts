import 'server-only';
import { ONE_LOCATION, type RegionNames, THIS_MACHINE } from '@/components/monitors/regions/name-region';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { isAnyoneNotified } from '@/lib/domain/listeners/read-audience';
import { countDownMonitors } from '@/lib/domain/monitors/count-down';
import { readWorkerNotes, type WorkerNotes } from '@/lib/domain/monitors/worker-notes';
import { listOwnOrganizations } from '@/lib/domain/organizations/create-organization';
import { countFailedDeliveries } from '@/lib/domain/webhooks/resend-deliveries';
import { readTogether } from '@/lib/platform/db/read-together';
import { BUILT_IN_REGION_IDS } from '@/lib/schemas/regions';
import { findOwnMachine } from './monitors/probed-regions';

/** What is around every page of the dashboard, in one statement. */
export function readFrame(ctx: OrganizationContext, userId: string) {
  return readTogether(ctx.db, async (db) => {
    const own = { ...ctx, db };
    const [organizations, failedDeliveries, workers, down, someoneNotified] = await Promise.all([
      listOwnOrganizations(own, userId),
      countFailedDeliveries(own),
      readWorkerNotes(own),
      countDownMonitors(own),
      isAnyoneNotified(own),
    ]);
    const regionNames = { ...workers.regionNames, ...nameOnePlace(workers.onePlace) };
    return { organizations, failedDeliveries, workers: { ...workers, regionNames }, down, someoneNotified };
  });
}

/** The built-in regions by one name while they are one place: that of this service, as far as people may know which is ours. */
function nameOnePlace(place: WorkerNotes['onePlace']): RegionNames {
  if (place === null) return {};
  const own = findOwnMachine();
  const isOwn = own !== null && (place.machine ?? own) === own;
  return Object.fromEntries(BUILT_IN_REGION_IDS.map((id) => [id, isOwn ? THIS_MACHINE : ONE_LOCATION]));
}
