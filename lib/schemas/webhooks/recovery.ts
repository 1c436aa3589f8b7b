import { z } from 'zod';
import { lenient } from '@/lib/schemas/query';

const HOUR_MS = 3_600_000;

/** How far back the dashboard resends missed deliveries. */
export const RECOVERY_SPANS = ['all', 'week', 'day', 'hour'] as const;
export type RecoverySpan = (typeof RECOVERY_SPANS)[number];

const SPAN_MS: Record<Exclude<RecoverySpan, 'all'>, number> = {
  week: 7 * 24 * HOUR_MS,
  day: 24 * HOUR_MS,
  hour: HOUR_MS,
};

/** The query of the preview on the screen of an endpoint. Invalid values are ignored. */
export const recoveryQuerySchema = z.object({ recover: lenient(z.enum(RECOVERY_SPANS)) });

/** When a span begins that ends at `now`. */
export function startOfSpan(span: RecoverySpan, now: Date): Date {
  return span === 'all' ? new Date(0) : new Date(now.getTime() - SPAN_MS[span]);
}
