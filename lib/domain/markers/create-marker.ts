import { invalidField } from '@/lib/core/errors';
import { createId } from '@/lib/core/ids';
import { recordAudit } from '@/lib/domain/audit/record-audit';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import { requireMonitors } from '@/lib/domain/organizations/require-monitors';
import type { Transaction } from '@/lib/platform/db/client';
import type { CreateMarker, Marker } from '@/lib/schemas/monitor/marker';
import { serializeMarker } from './read-markers';

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;

/** How long markers are kept. */
export const MARKER_DAYS = 400;
/** The newest markers that an organization keeps: one every hour and a half, all year. */
export const MAX_MARKERS = 5000;
/** Clocks of machines that deploy are a little off. */
const MAX_AHEAD_MS = MINUTE;

/**
 * Marks a deploy or another change. Beyond 5000, the oldest markers of the organization are deleted. Throws FORBIDDEN, UNKNOWN_MONITOR,
 * and VALIDATION_ERROR for a time more than a minute in the future or more than 400 days ago.
 */
export async function createMarker(
  ctx: OrganizationContext,
  { occurredAt: given, ...fields }: CreateMarker,
): Promise<Marker> {
  requirePermission(ctx, 'marker.create');
  const { organizationId } = ctx;
  const now = ctx.clock.now();
  const occurredAt = given ?? now;
  const ahead = occurredAt.getTime() - now.getTime();
  if (ahead > MAX_AHEAD_MS) throw invalidField('occurredAt', 'must not be in the future', 'custom');
  if (ahead < -MARKER_DAYS * DAY) {
    throw invalidField('occurredAt', `must be within the last ${MARKER_DAYS} days`, 'custom');
  }
  return ctx.db.$transaction(async (tx) => {
    await requireMonitors(tx, organizationId, fields.monitors);
    const row = await tx.marker.create({
      data: { id: createId('marker'), organizationId, ...fields, occurredAt, createdAt: now },
    });
    await deleteBeyond(tx, organizationId);
    const subject = { id: row.id, label: row.title };
    const after = { ...fields, occurredAt: occurredAt.toISOString() };
    await recordAudit(tx, ctx, { action: 'marker.create', subject, after });
    return serializeMarker(row);
  });
}

async function deleteBeyond(tx: Transaction, organizationId: string): Promise<void> {
  await tx.$executeRaw`
    DELETE FROM marker WHERE id IN (
      SELECT id FROM marker WHERE organization_id = ${organizationId}
       ORDER BY occurred_at DESC, number DESC OFFSET ${MAX_MARKERS} LIMIT 100)`;
}
