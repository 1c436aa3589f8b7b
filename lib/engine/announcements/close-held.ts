import { endHeld } from '@/lib/domain/announcements/held-announcements';
import type { Services } from '@/lib/domain/context/services';
import type { Transaction } from '@/lib/platform/db/client';
import { announceHeld, readHeldRows } from './held-rows';

/**
 * Closes what is held of monitors that were paused or deleted: what was not decided is announced, before what follows, and what was
 * suppressed ends. Returns the monitors that people were not notified about.
 */
export async function closeHeld(
  tx: Transaction,
  services: Pick<Services, 'appUrl' | 'mail'>,
  monitorIds: readonly string[],
  now: Date,
): Promise<ReadonlySet<string>> {
  const held = await readHeldRows(tx, monitorIds);
  if (held.length === 0) return new Set();
  const suppressed = new Set(held.filter(({ causedBy }) => causedBy !== null).map((row) => row.monitorId));
  await announceHeld(
    tx,
    services,
    held.filter(({ monitorId }) => !suppressed.has(monitorId)),
    now,
  );
  await endHeld(tx, [...suppressed], now);
  return suppressed;
}
