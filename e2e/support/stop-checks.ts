import type { Services } from '@/lib/domain/context/services';

/** Takes a monitor out of the schedule. A check of it that has begun does not count, since it is of an earlier version. */
export async function stopChecks({ db }: Pick<Services, 'db'>, id: string): Promise<void> {
  await db.probeSchedule.deleteMany({ where: { monitorId: id } });
  await db.monitor.update({ where: { id }, data: { configVersion: { increment: 1 } } });
}
