import { z } from 'zod';
import { type Cursor, formatCursor, parseCursor } from '@/lib/schemas/query';
import type { DeliveryStatus } from './delivery';

/** The order of the log: failed, pending, delivered. */
export const LOG_ORDER = ['failed', 'pending', 'delivered'] as const satisfies readonly DeliveryStatus[];

/** A position in the log: right after the delivery with this status and cursor. */
export type LogPlace = Cursor & { status: DeliveryStatus };

/** The position as a query parameter. */
export function formatLogPlace({ status, ...cursor }: LogPlace): string {
  return `${status}.${formatCursor(cursor)}`;
}

/** Parses the output of `formatLogPlace`; null for any other text. */
export function parseLogPlace(text: string): LogPlace | null {
  const [name = '', ...rest] = text.split('.');
  const status = LOG_ORDER.find((each) => each === name);
  const cursor = parseCursor(rest.join('.'));
  return status && cursor ? { status, ...cursor } : null;
}

/** The query of the delivery log screen. Invalid values are ignored. */
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
