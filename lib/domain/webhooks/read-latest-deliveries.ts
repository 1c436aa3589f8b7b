import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { requirePermission } from '@/lib/domain/context/permissions';
import type { Delivery } from '@/lib/schemas/delivery';
import { DELIVERY_COLUMNS, DELIVERY_JOINS } from './delivery-rows';
import { type DeliveryRow, serializeDelivery } from './serialize-delivery';

/** The newest delivery of every endpoint of the organization, by the endpoint's id; absent where there is none yet. */
export async function readLatestDeliveries(ctx: OrganizationContext): Promise<Map<string, Delivery>> {
  requirePermission(ctx, 'delivery.read');
  const { db, organizationId } = ctx;
  const rows = await db.$queryRaw<DeliveryRow[]>`
    SELECT ${DELIVERY_COLUMNS}
      FROM webhook_endpoint AS endpoint
     CROSS JOIN LATERAL (
       SELECT * FROM delivery WHERE delivery.endpoint_id = endpoint.id
        ORDER BY delivery.created_at DESC, delivery.number DESC LIMIT 1) AS delivery
      ${DELIVERY_JOINS}
     WHERE endpoint.organization_id = ${organizationId}`;
  return new Map(rows.map((row) => [row.endpointId, serializeDelivery(row)]));
}
