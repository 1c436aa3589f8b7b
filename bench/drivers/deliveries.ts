import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { createIncident } from '@/lib/domain/incidents/create-incident';
import { createWebhook } from '@/lib/domain/webhooks/change-webhook';
import { RETRY_DELAYS } from '@/lib/domain/webhooks/send-delivery';
import type { Database } from '@/lib/platform/db/client';
import { createIncidentSchema } from '@/lib/schemas/incident';
import { createWebhookSchema } from '@/lib/schemas/webhook';
import { percentiles } from '../playground';

/** Tries that the receiver refuses: what is left of the schedule after them, half an hour and more, is too long for here. */
export const REFUSALS = 2;

/** What became of deliveries whose first tries were refused. */
export type DeliveryFigures = {
  deliveries: number;
  delivered: number;
  tries: number;
  /** Milliseconds that the retries came after their time, a negative one before it. */
  lateness: { min: number; p50: number; p99: number; max: number };
  /** The longest lateness, as a share of the wait before it. */
  latenessShare: number;
};

/** Makes an endpoint at `url` and as many deliveries to it as told, one for each of so many incidents. */
export async function addDeliveries(ctx: OrganizationContext, url: string, count: number): Promise<void> {
  await createWebhook(ctx, createWebhookSchema.parse({ url, events: ['incident.created'] }));
  for (let number = 1; number <= count; number++) {
    await createIncident(ctx, createIncidentSchema.parse({ title: `Incident ${number}` }));
  }
}

/** Compares the tries with the schedule. */
export async function measureDeliveries(db: Database): Promise<DeliveryFigures> {
  const deliveries = await db.delivery.findMany({
    select: {
      status: true,
      tries: { select: { number: true, startedAt: true, finishedAt: true }, orderBy: { number: 'asc' } },
    },
  });
  const late = deliveries.flatMap(({ tries }) =>
    tries.slice(1).map(({ startedAt }, index) => {
      const wait = RETRY_DELAYS[index] ?? Number.NaN;
      const failedAt = tries[index]?.finishedAt?.getTime() ?? Number.NaN;
      return { ms: startedAt.getTime() - failedAt - wait, wait };
    }),
  );
  const delays = late.map(({ ms }) => ms);
  return {
    deliveries: deliveries.length,
    delivered: deliveries.filter(({ status }) => status === 'delivered').length,
    tries: deliveries.reduce((sum, { tries }) => sum + tries.length, 0),
    lateness: { ...percentiles(delays), min: delays.length === 0 ? Number.NaN : Math.min(...delays) },
    latenessShare: Math.max(...late.map(({ ms, wait }) => ms / wait)),
  };
}
