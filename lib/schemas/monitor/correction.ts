import { z } from 'zod';
import { LEDGER_DAYS } from '@/lib/schemas/monitor/transition';
import { givenInstantSchema, instantSchema, oneOf, text } from '@/lib/schemas/text';

/** What a time can be corrected to. */
export const CORRECTED_STATES = ['operational', 'degraded', 'down', 'maintenance', 'unknown'] as const;

const STATE =
  'What the time counts as: down is downtime, operational and degraded are uptime, maintenance and unknown do not count';
const REASON = 'Why the ledger is wrong. It is not public';

/** The body of POST /monitors/:id/corrections. */
export const createCorrectionSchema = z.strictObject({
  from: givenInstantSchema.describe(
    `Since when, within the last ${LEDGER_DAYS} days and not before the ledger of the monitor`,
  ),
  to: givenInstantSchema.describe('Until when, at most now'),
  state: oneOf(CORRECTED_STATES).describe(STATE),
  reason: text(1, 500).describe(REASON),
});

/** A correction of the ledger as the API returns it. */
export const correctionSchema = z
  .strictObject({
    id: z.string().regex(/^cor_/),
    monitorId: z.string(),
    from: instantSchema,
    to: instantSchema,
    state: z.enum(CORRECTED_STATES).describe(STATE),
    reason: z.string().describe(REASON),
    author: z.string().describe('Who corrected it, by their name at the time'),
    maintenanceId: z
      .string()
      .nullable()
      .describe('The maintenance window that was entered afterwards; null: a correction on its own'),
    createdAt: instantSchema,
  })
  .meta({ id: 'Correction' });

export type CreateCorrection = z.output<typeof createCorrectionSchema>;
export type Correction = z.output<typeof correctionSchema>;
