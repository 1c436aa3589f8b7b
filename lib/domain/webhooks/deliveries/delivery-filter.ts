import { Prisma } from '@/lib/platform/db/generated/client';

/** Whose deliveries: an organization's, of them those of an endpoint, and those whose event is about a monitor. */
export type DeliveryFilter = { organizationId: string; webhook?: string; monitor?: string };

/** Where deliveries are read from, named `delivery`; they were created at `createdAt`, which an index has in order. */
export type DeliverySource = { from: Prisma.Sql; conditions: Prisma.Sql[]; createdAt: Prisma.Sql };

/** The deliveries that match. Those about a monitor are read in the order of its events: a delivery is as old as its event. */
export function deliverySource({ organizationId, webhook, monitor }: DeliveryFilter): DeliverySource {
  const conditions = [
    Prisma.sql`delivery.organization_id = ${organizationId}`,
    ...(webhook ? [Prisma.sql`delivery.endpoint_id = ${webhook}`] : []),
  ];
  if (!monitor) return { from: Prisma.sql`delivery`, conditions, createdAt: Prisma.sql`delivery.created_at` };
  return {
    from: Prisma.sql`event_monitor AS about JOIN delivery ON delivery.event_id = about.event_id`,
    conditions: [...conditions, Prisma.sql`about.monitor_id = ${monitor}`],
    createdAt: Prisma.sql`about.occurred_at`,
  };
}
