import { expect } from '@playwright/test';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { RETRY_DELAYS } from '@/lib/domain/webhooks/retry-schedule';
import { emitEvents } from '@/lib/notify/emit-events';
import { notify } from '@/lib/platform/db/listen';

/** Emits an incident to the organization's endpoints like the engine; a worker of the service delivers it. */
export async function emitIncident(ctx: OrganizationContext, title: string): Promise<void> {
  const { db, clock, organizationId } = ctx;
  const occurredAt = clock.now();
  const payload = {
    event: 'incident.created' as const,
    causedBy: null,
    timestamp: occurredAt.toISOString(),
    incident: {
      id: 'inc_00000000000000000000000000',
      title,
      description: `${title}.`,
      status: 'investigating' as const,
      severity: 'critical' as const,
      affectedMonitors: [],
      affectedComponents: [],
      impacts: {},
    },
  };
  await db.$transaction((tx) => emitEvents(tx, ctx, [{ organizationId, occurredAt, payload }]));
}

/** Waits until the first attempt of a delivery has failed, then makes its last retry due now, skipping 26 hours. */
export async function skipToLastRetry({ db, clock, organizationId }: OrganizationContext): Promise<void> {
  const skip = () =>
    db.delivery.updateMany({
      where: { organizationId, status: 'pending', failures: { gte: 1 } },
      data: { failures: RETRY_DELAYS.length, nextAttemptAt: clock.now() },
    });
  await expect.poll(async () => (await skip()).count).toBe(1);
  await notify(db, 'pharos_deliveries');
}
