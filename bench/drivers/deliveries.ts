import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { createIncident } from '@/lib/domain/incidents/create-incident';
import { createWebhook } from '@/lib/domain/webhooks/change-webhook';
import { RETRY_DELAYS } from '@/lib/domain/webhooks/retry-schedule';
import type { Database } from '@/lib/platform/db/client';
import { createIncidentSchema } from '@/lib/schemas/incidents/incident';
import { createWebhookSchema } from '@/lib/schemas/webhooks/webhook';
import { percentiles } from '../playground';

/** Rejected attempts per delivery. Later retries would take too long: half an hour and more. */
export const REJECTIONS = 2;

/** The outcome of deliveries whose first attempts were rejected. */
export type DeliveryFigures = Awaited<ReturnType<typeof measureDeliveries>>;

/** Creates an endpoint at `url` and deliveries to it, one per incident. */
export async function addDeliveries(ctx: OrganizationContext, url: string, count: number): Promise<void> {
  await createWebhook(ctx, createWebhookSchema.parse({ url, events: ['incident.created'] }));
  for (let number = 1; number <= count; number++) {
    await createIncident(ctx, createIncidentSchema.parse({ title: `Incident ${number}` }));
  }
}

/** Compares the attempts with the schedule. */
export async function measureDeliveries(db: Database) {
  const deliveries = await db.delivery.findMany({
    select: {
      status: true,
      attemptLog: { select: { number: true, startedAt: true, finishedAt: true }, orderBy: { number: 'asc' } },
    },
  });
  const late = deliveries.flatMap(({ attemptLog }) =>
    attemptLog.slice(1).map(({ startedAt }, index) => {
      const wait = RETRY_DELAYS[index] ?? Number.NaN;
      const failedAt = attemptLog[index]?.finishedAt?.getTime() ?? Number.NaN;
      return { ms: startedAt.getTime() - failedAt - wait, wait };
    }),
  );
  const delays = late.map(({ ms }) => ms);
  return {
    deliveries: deliveries.length,
    delivered: deliveries.filter(({ status }) => status === 'delivered').length,
    attempts: deliveries.reduce((sum, { attemptLog }) => sum + attemptLog.length, 0),
    /** Lateness of retries in milliseconds; negative if early. */
    lateness: { ...percentiles(delays), min: delays.length === 0 ? Number.NaN : Math.min(...delays) },
    /** The maximum lateness relative to the delay. */
    latenessShare: Math.max(...late.map(({ ms, wait }) => ms / wait)),
  };
}
