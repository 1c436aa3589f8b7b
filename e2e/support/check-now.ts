import type { Services } from '@/lib/domain/context/services';
import { notify } from '@/lib/platform/db/listen';

/** Checks every monitor of a service, or of one of its organizations, now instead of at its next slot, at least half a minute away. */
export async function checkNow({ db, clock }: Services, organizationId?: string): Promise<void> {
  const where = organizationId === undefined ? {} : { monitor: { organizationId } };
  await db.probeSchedule.updateMany({ where, data: { nextCheckAt: clock.now() } });
  await notify(db, 'pharos_checks');
}
