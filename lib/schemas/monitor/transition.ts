import { z } from 'zod';
import { described } from '@/lib/schemas/described';
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
  region: described(z.string(), 'The region of the check', 'eu-west'),
  verdict: described(
    z.enum(['good', 'slow', 'failing']).nullable(),
    'What the region says; null if it has no verdict yet',
    'failing',
  ),
  failures: described(z.int(), 'Consecutive failed checks', 3),
  slows: described(z.int(), 'Consecutive slow checks', 0),
  goods: described(z.int(), 'Consecutive successful checks that were not slow', 0),
  vote: described(z.boolean(), 'Whether the region has a vote: a recent result', true),
  error: z
    .object({
      code: described(z.string(), 'What went wrong, for programs', 'ECONNREFUSED'),
      message: described(
        z.string(),
        'What went wrong, and what to do next, for people',
        'Nothing found at this path.',
      ),
    })
    .nullable()
    .describe('The last error of the region; null without one'),
});

/** Why a status changed, as stored in the ledger. A change by a person, such as a pause, has a rule but no votes. */
export const whySchema = z
  .object({
    rule: described(z.string(), 'A description of the rule that applied', 'most regions are failing'),
    regions: z.array(regionVote).default([]).describe('The regions that voted, with their verdicts'),
    voting: described(
      z.int().nullable().default(null),
      'Number of regions that have voted or are expected to vote',
      3,
    ),
    quorum: described(
      z.int().nullable().default(null),
      'Number of regions that decide; null for changes by a person',
      2,
    ),
    configVersion: described(
      z.int().nullable().default(null),
      'The version of what is probed; null if unknown',
      4,
    ),
  })
  .meta({ id: 'TransitionReason' });

/** One status change of a monitor as the API returns it. */
export const transitionSchema = z
  .strictObject({
    from: described(
      ledgerState.nullable(),
      'The previous state; null if it is no longer stored',
      'operational',
    ),
    to: described(ledgerState, 'The new state', 'down'),
    at: instantSchema.describe('When the state began: the first check of the run that triggered it'),
    decidedAt: described(instantSchema, 'When it was decided', '2027-03-01T10:02:00.000Z'),
    endedAt: described(
      instantSchema.nullable(),
      'When it ended; null if it is ongoing',
      '2027-03-01T10:14:00.000Z',
    ),
    why: whySchema.nullable().describe('The reason; null if it is no longer stored'),
  })
  .meta({ id: 'Transition' });

export type TransitionsQuery = z.output<typeof transitionsQuerySchema>;
export type Transition = z.output<typeof transitionSchema>;
