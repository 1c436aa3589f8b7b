import { z } from 'zod';
import { formatGroupCursor, type GroupCursor, parseGroupCursor } from '@/lib/schemas/cursor';
import { lenient, placeOnScreen } from '@/lib/schemas/query';
import { monitorIdSchema } from '@/lib/schemas/text';
import { type DeliveryStatus, webhookIdSchema } from './delivery';

/** The order of the log: failed, pending, delivered. */
export const LOG_ORDER = ['failed', 'pending', 'delivered'] as const satisfies readonly DeliveryStatus[];

/** A position in the log: right after the delivery with this status and cursor. */
export type LogPlace = GroupCursor<DeliveryStatus>;

/** The position as a query parameter. */
export const formatLogPlace: (place: LogPlace) => string = formatGroupCursor;

/** The query of the delivery log screen. Invalid values are ignored. */
export const logQuerySchema = z.object({
  status: lenient(z.enum(LOG_ORDER)),
  webhook: lenient(webhookIdSchema),
  monitor: lenient(monitorIdSchema),
  after: placeOnScreen((text) => parseGroupCursor(LOG_ORDER, text)),
});
export type LogQuery = z.output<typeof logQuerySchema>;

/** The query of the log on the screen of an endpoint, whose address has its ID. */
export const endpointLogQuerySchema = logQuerySchema.omit({ webhook: true });
