import 'server-only';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { readWorkerNotes } from '@/lib/domain/monitors/worker-notes';
import { listOwnOrganizations } from '@/lib/domain/organizations/create-organization';
import { countFailedDeliveries } from '@/lib/domain/webhooks/resend-deliveries';
import { readTogether } from '@/lib/platform/db/read-together';

/** What is around every page of the dashboard, in one statement. */
export function readFrame(ctx: OrganizationContext, userId: string) {
  return readTogether(ctx.db, async (db) => {
    const own = { ...ctx, db };
    const [organizations, failedDeliveries, workers] = await Promise.all([
      listOwnOrganizations(own, userId),
      countFailedDeliveries(own),
      readWorkerNotes(own),
    ]);
    return { organizations, failedDeliveries, workers };
  });
}
