import type { Services } from '@/lib/domain/context/services';
import { notify } from '@/lib/platform/db/listen';

/** Has every monitor checked now instead of at its next slot, which is half a minute away at best. */
export async function checkNow({ db, clock }: Services): Promise<void> {
  await db.probeSchedule.updateMany({ data: { nextCheckAt: clock.now() } });
  await notify(db, 'pharos_checks');
}
