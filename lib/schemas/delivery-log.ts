import { z } from 'zod';
import type { DeliveryStatus } from './delivery';
import { type Cursor, formatCursor, parseCursor } from './query';

/** The order in which people read the log: what failed, then what waits, then what is done. */
export const LOG_ORDER = ['failed', 'pending', 'delivered'] as const satisfies readonly DeliveryStatus[];

/** A place in the log: right after the delivery of this status that has these. */
export type LogPlace = Cursor & { status: DeliveryStatus };

/** The place as the address of a page carries it. */
export function formatLogPlace({ status, ...cursor }: LogPlace): string {
  return `${status}.${formatCursor(cursor)}`;
}

/** The place that a text names; null for a text that `formatLogPlace` never made. */
export function parseLogPlace(text: string): LogPlace | null {
  const [name = '', ...rest] = text.split('.');
  const status = LOG_ORDER.find((each) => each === name);
  const cursor = parseCursor(rest.join('.'));
  return status && cursor ? { status, ...cursor } : null;
}

/** The address of a page of the log; what nobody could have been led to shows the beginning, not an error. */
export const logQuerySchema = z.object({
  status: z.enum(LOG_ORDER).optional().catch(undefined),
  after: z
    .string()
    .max(1000)
    .optional()
    .catch(undefined)
    .transform((text) => (text === undefined ? null : parseLogPlace(text))),
});

export type LogQuery = z.output<typeof logQuerySchema>;
