import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';

/** What is known of the calls of a job. */
export type HeartbeatView = {
  /** The last call of any kind; null: none yet. */
  calledAt: Date | null;
  /** When the current run began, if its start was reported. */
  runStartedAt: Date | null;
  /** When the next call is late; null while paused, and before the first call. */
  deadlineAt: Date | null;
  /** Since when the job is late; null: it is not. */
  lateSince: Date | null;
};

/** The calls of a monitor; null if it is not called, or not one of the organization. */
export async function readHeartbeat(ctx: OrganizationContext, id: string): Promise<HeartbeatView | null> {
  requirePermission(ctx, 'monitor.read');
  return ctx.db.heartbeat.findFirst({
    where: { monitorId: id, monitor: { organizationId: ctx.organizationId } },
    select: { calledAt: true, runStartedAt: true, deadlineAt: true, lateSince: true },
  });
}
