import type { Services } from '@/lib/domain/context/services';
import { notify } from '@/lib/platform/db/listen';

/** Checks every monitor now instead of at its next slot, at least half a minute away. */
export async function checkNow({ db, clock }: Services): Promise<void> {
  await db.probeSchedule.updateMany({ data: { nextCheckAt: clock.now() } });
  await notify(db, 'pharos_checks');
}
