import { z } from 'zod';
import { pageQuery } from '@/lib/schemas/query';
import { instantSchema } from '@/lib/schemas/text';

/** The query of GET /monitors/:id/transitions. */
export const transitionsQuerySchema = z.strictObject(pageQuery);

/** How long the ledger of a monitor is kept, and what can be read, reported and corrected of it. */
export const LEDGER_DAYS = 400;

const LEDGER_STATES = [
  'pending',
  'operational',
  'degraded',
  'down',
  'paused',
  'maintenance',
  'unknown',
] as const;
const ledgerState = z.enum(LEDGER_STATES);

const regionVote = z.object({
  region: z.string(),
  verdict: z.enum(['good', 'slow', 'failing']).nullable(),
  failures: z.int(),
  slows: z.int(),
  goods: z.int(),
  vote: z.boolean(),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
});

/** Why a status changed, as stored in the ledger. A change by a person, such as a pause, has a rule but no votes. */
export const whySchema = z
  .object({
    rule: z.string().describe('A description of the rule that applied'),
    regions: z.array(regionVote).default([]),
    voting: z
      .int()
      .nullable()
      .default(null)
      .describe('Number of regions that have voted or are expected to vote'),
    quorum: z.int().nullable().default(null),
    configVersion: z.int().nullable().default(null),
  })
  .meta({ id: 'TransitionReason' });

/** One status change of a monitor as the API returns it. */
export const transitionSchema = z
  .strictObject({
    from: ledgerState.nullable().describe('The previous state; null if it is no longer stored'),
    to: ledgerState,
    at: instantSchema.describe('When the state began: the first check of the run that triggered it'),
    decidedAt: instantSchema,
    endedAt: instantSchema.nullable(),
    why: whySchema.nullable(),
  })
  .meta({ id: 'Transition' });

export type TransitionsQuery = z.output<typeof transitionsQuerySchema>;
export type Transition = z.output<typeof transitionSchema>;
