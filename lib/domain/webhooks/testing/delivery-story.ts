import { createManualClock } from '@/lib/core/time/clock';
import { emitEvents } from '@/lib/notify/emit-events';
import type { Database } from '@/lib/platform/db/client';
import { createWebhookSchema } from '@/lib/schemas/webhooks/webhook';
import { createTestOrganization, createTestServices } from '@/lib/testing/services';
import { createWebhook } from '../change-webhook';

/** When the stories begin. */
export const START = new Date('2026-03-01T12:00:00.000Z');

/** An organization with its own clock, whose events are emitted as the engine does. */
export async function beginDeliveries(db: Database) {
  const clock = createManualClock(START);
  const services = createTestServices({ db, clock });
  const { ctx, organizationId } = await createTestOrganization(services);
  const newestId = async () => {
    const newest = await db.delivery.findFirstOrThrow({
      where: { organizationId },
      orderBy: { number: 'desc' },
    });
    return newest.id;
  };
  return {
    clock,
    ctx,
    organizationId,
    newestId,
    addEndpoint: async (url = 'http://receiver.test/') =>
      (await createWebhook(ctx, createWebhookSchema.parse({ url }))).id,
    /** Emits `monitor.degraded` of a monitor; returns the ID of the newest delivery. */
    degrade: async (monitor: { id: string; name: string }) => {
      const occurredAt = clock.now();
      const payload = {
        event: 'monitor.degraded' as const,
        causedBy: null,
        timestamp: occurredAt.toISOString(),
        monitor: { ...monitor, url: 'http://shop.test/', type: 'http' as const, ref: null, tags: [] },
        incident: null,
        details: { responseTime: 9000, statusCode: 200, errorMessage: null, region: 'us-east' },
      };
      await db.$transaction((tx) => emitEvents(tx, services, [{ organizationId, occurredAt, payload }]));
      return newestId();
    },
    /** Ends the schedule of a delivery. */
    settle: (id: string, status: 'delivered' | 'failed') =>
      db.delivery.update({ where: { id }, data: { status, nextAttemptAt: null, settledAt: clock.now() } }),
  };
}
