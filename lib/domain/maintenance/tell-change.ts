import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { writePageNotices } from '@/lib/domain/notices/write-page-notices';
import type { Transaction } from '@/lib/platform/db/client';
import type { Maintenance } from '@/lib/schemas/maintenance';
import { maintenanceNotice } from './tell-maintenance';

type News = 'maintenance.planned' | 'maintenance.moved' | 'maintenance.cancelled';
type Context = Pick<OrganizationContext, 'organizationId' | 'mail'>;

/**
 * What subscribers have to hear of a window whose schedule was changed, besides what they are told when an occurrence
 * begins and ends; null: nothing. The states are those before and after, at the same moment.
 */
export function newsOfChange(before: Maintenance, after: Maintenance): News | null {
  const [was, is] = [before.occurrence, after.occurrence];
  if (is === null) return before.status === 'scheduled' ? 'maintenance.cancelled' : null;
  if (was === null) return after.status === 'scheduled' ? 'maintenance.planned' : null;
  if (was.startsAt === is.startsAt && was.endsAt === is.endsAt) return null;
  // It begins now, and that is told.
  if (before.status === 'scheduled' && after.status === 'active') return null;
  return 'maintenance.moved';
}

/** Tells of the other time of a window, that it is cancelled, or that it is planned again. */
export async function tellChange(
  tx: Transaction,
  ctx: Context,
  { before, after }: { before: Maintenance; after: Maintenance },
  now: Date,
): Promise<void> {
  const kind = newsOfChange(before, after);
  if (kind === 'maintenance.cancelled') await tell(tx, ctx, kind, before, now);
  else if (kind !== null) await tell(tx, ctx, kind, after, now);
}

/** Tells that the next occurrence of a window that goes away is not to be. Nothing where none is to begin. */
export async function tellCancelled(
  tx: Transaction,
  ctx: Context,
  window: Maintenance,
  now: Date,
): Promise<void> {
  if (window.status === 'scheduled') await tell(tx, ctx, 'maintenance.cancelled', window, now);
}

async function tell(
  tx: Transaction,
  ctx: Context,
  kind: News,
  { id, title, message, monitors, occurrence }: Maintenance,
  now: Date,
): Promise<void> {
  if (occurrence === null) return;
  const [startsAt, endsAt] = [new Date(occurrence.startsAt), new Date(occurrence.endsAt)];
  const told = { id, organizationId: ctx.organizationId, title, message, monitors, startsAt, endsAt };
  await writePageNotices(tx, ctx, [maintenanceNotice(kind, told, now)]);
}
