import { createManualClock } from '@/lib/core/time/clock';
import { createIncident } from '@/lib/domain/incidents/create-incident';
import { type FollowedChange, followStatus } from '@/lib/domain/incidents/follow-status';
import { listIncidents } from '@/lib/domain/incidents/read-incidents';
import { createMonitor } from '@/lib/domain/monitors/create-monitor';
import { createWebhook } from '@/lib/domain/webhooks/change-webhook';
import type { Database } from '@/lib/platform/db/client';
import { createIncidentSchema, incidentsQuerySchema } from '@/lib/schemas/incidents/incident';
import { createMonitorSchema } from '@/lib/schemas/monitor';
import { createWebhookSchema } from '@/lib/schemas/webhooks/webhook';
import { createTestOrganization, createTestServices } from '@/lib/testing/services';

export const START = new Date('2026-03-01T12:00:00.000Z');

/** An organization with a webhook endpoint, in which incidents take place. */
export async function beginStory({ db }: { db: Database }) {
  const clock = createManualClock(START);
  const services = createTestServices({ db, clock });
  const { ctx, organizationId } = await createTestOrganization(services);
  await createWebhook(ctx, createWebhookSchema.parse({ url: 'http://receiver.test/' }));
  return {
    clock,
    services,
    ctx,
    open: (fields: object = {}) =>
      createIncident(ctx, createIncidentSchema.parse({ title: 'Checkout is slow', ...fields })),
    addMonitor: async () => {
      const input = createMonitorSchema.parse({ name: 'Shop', url: 'http://shop.test/' });
      return (await createMonitor(ctx, input)).id;
    },
    /** Applies a status change of the monitor, as the engine does. */
    follow: async (monitorId: string, status: FollowedChange['status']) => {
      const change = {
        organizationId,
        monitorId,
        monitorName: 'Shop',
        status,
        at: clock.now(),
        since: clock.now(),
      };
      const [followed] = await db.$transaction((tx) => followStatus(tx, [change]));
      return followed?.incident?.id ?? '';
    },
    list: (query: object = {}) => listIncidents(ctx, incidentsQuerySchema.parse(query)),
    /** The events sent so far, oldest first. */
    readEvents: async () => {
      const deliveries = await db.delivery.findMany({
        where: { organizationId },
        include: { event: true },
        orderBy: { number: 'asc' },
      });
      return deliveries.map(({ event }) => JSON.parse(event.payload));
    },
  };
}
