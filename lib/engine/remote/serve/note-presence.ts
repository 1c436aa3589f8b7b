import type { Services } from '@/lib/domain/context/services';
import { recordPresence } from '@/lib/domain/monitors/silence';
import type { Input } from '@/lib/engine/remote/protocol';

/** As often as a worker writes its heartbeat. */
const EVERY_MS = 3000;

/** Records that a probe is alive and serves its region, like the heartbeat of a worker, at most every three seconds. */
export async function notePresence(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  { region, workerId: id }: { region: string; workerId: string },
  {
    machine,
    startedAt,
    cutOffAt,
    pendingMs,
  }: Pick<Input<'beat'>, 'machine' | 'startedAt' | 'cutOffAt' | 'pendingMs'>,
): Promise<void> {
  const seenAt = clock.now();
  const known = await db.worker.findUnique({ where: { id }, select: { seenAt: true } });
  if (known !== null && seenAt.getTime() - known.seenAt.getTime() < EVERY_MS) return;
  const update = {
    seenAt,
    cutOffAt: cutOffAt === null ? null : new Date(cutOffAt),
    pendingSince: pendingMs === null ? null : new Date(seenAt.getTime() - pendingMs),
  };
  const place = { host: machine.host, machine: machine.id };
  const create = {
    id,
    regions: [region],
    duties: 'probe' as const,
    startedAt: new Date(startedAt),
    ...place,
    ...update,
  };
  await db.worker.upsert({ where: { id }, create, update });
  await recordPresence({ db, clock }, { regions: [region], duties: 'probe' });
}
