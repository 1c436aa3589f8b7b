import { z } from 'zod';
import { described } from '@/lib/schemas/described';
import { LEDGER_DAYS } from '@/lib/schemas/monitor/transition';
import { createdAtSchema, givenInstantSchema, instantSchema, oneOf, text } from '@/lib/schemas/text';

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
  to: described(givenInstantSchema, 'Until when, at most now', '2027-03-01T10:30:00.000Z'),
  state: described(oneOf(CORRECTED_STATES), STATE, 'maintenance'),
  reason: described(text(1, 500), REASON, 'The probe had lost its network'),
});

/** A correction of the ledger as the API returns it. */
export const correctionSchema = z
  .strictObject({
    id: described(z.string().regex(/^cor_/), 'The ID of the correction', 'cor_01kxk1r9v2x5a8d1g4k7n0q3sb'),
    monitorId: described(
      z.string(),
      'The monitor whose history is corrected',
      'mon_01kxk1j7c2e5x8q3n6w4r9t0zb',
    ),
    from: instantSchema.describe('Since when'),
    to: described(instantSchema, 'Until when', '2027-03-01T10:30:00.000Z'),
    state: described(z.enum(CORRECTED_STATES), STATE, 'maintenance'),
    reason: described(z.string(), REASON, 'The probe had lost its network'),
    author: described(z.string(), 'Who corrected it, by their name at the time', 'Ada'),
    maintenanceId: described(
      z.string().nullable(),
      'The maintenance window that was entered afterwards; null: a correction on its own',
      null,
    ),
    createdAt: createdAtSchema,
  })
  .meta({ id: 'Correction' });

export type CreateCorrection = z.output<typeof createCorrectionSchema>;
export type Correction = z.output<typeof correctionSchema>;
