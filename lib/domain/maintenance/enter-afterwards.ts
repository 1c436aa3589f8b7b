import { invalidField } from '@/lib/core/errors';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { correctLedgers, deleteCorrectionsOf } from '@/lib/domain/monitors/corrections/change-corrections';
import type { Transaction } from '@/lib/platform/db/client';
import type { Schedule } from './occurrences';

type Entered = Schedule & { id: string; title: string; monitors: readonly string[] };

/** Whether a window that does not recur is over at `now`, so that it can only be entered afterwards. */
export function isOver({ rrule, endsAt }: Schedule, now: Date): boolean {
  return rrule === null && endsAt <= now;
}

/** Whether a window was over when it was created. The caller holds the window's lock. */
export async function wasEnteredAfterwards(tx: Transaction, windowId: string): Promise<boolean> {
  const correction = await tx.ledgerCorrection.findFirst({ where: { windowId }, select: { id: true } });
  return correction !== null;
}

/**
 * Has the time of a window that is over count as maintenance for its monitors, by a correction of each. Throws VALIDATION_ERROR for a time
 * that is not in their ledgers or overlaps other corrections. The caller holds the locks of their states.
 */
export async function enterAfterwards(tx: Transaction, ctx: OrganizationContext, window: Entered) {
  const { id: windowId, title: reason, monitors, startsAt: from, endsAt: to } = window;
  const fields = { from: 'startsAt', to: 'endsAt' };
  await correctLedgers(tx, ctx, monitors, { from, to, state: 'maintenance', reason, windowId, fields });
}

/** Moves a window that was entered afterwards, with what it corrects. Throws as `enterAfterwards`, and VALIDATION_ERROR if it were not over. */
export async function moveAfterwards(tx: Transaction, ctx: OrganizationContext, window: Entered) {
  const { id: windowId, startsAt, endsAt } = window;
  if (window.rrule !== null)
    throw invalidField('rrule', 'is not allowed, as the window was entered afterwards');
  if (!isOver(window, ctx.clock.now())) {
    throw invalidField('endsAt', 'must not be in the future, as the window was entered afterwards');
  }
  await deleteCorrectionsOf(tx, ctx, windowId);
  await enterAfterwards(tx, ctx, window);
  await tx.maintenanceOccurrence.updateMany({
    where: { windowId },
    data: { startsAt, endsAt, endedAt: endsAt },
  });
}

/** Has the corrections of a window give its new title as their reason. */
export async function renameAfterwards(tx: Transaction, { id: windowId, title: reason }: Entered) {
  await tx.ledgerCorrection.updateMany({ where: { windowId }, data: { reason } });
}
