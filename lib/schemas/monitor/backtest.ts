import { z } from 'zod';
import { described } from '@/lib/schemas/described';
import { regionIdSchema } from '@/lib/schemas/regions/region-id';
import { instantSchema } from '@/lib/schemas/text';
import { replayedSchema } from './fields';

const DAYS = 'must be a whole number of days from 1 to 30';

/** The body of POST /monitors/:id/backtest: the settings to simulate; omitted ones keep the monitor's values. */
export const backtestInputSchema = z
  .strictObject({
    days: z.int(DAYS).min(1, DAYS).max(30, DAYS).default(7).describe('Days of results to replay'),
    ...replayedSchema.partial().shape,
  })
  .prefault({});

const count = z.int().min(0);

const outcomeSchema = z
  .strictObject({
    down: described(count, 'Number of monitor.down events', 1),
    degraded: described(count, 'Number of monitor.degraded events', 0),
    downtime: described(count, 'Milliseconds down', 720_000),
    degradedTime: described(count, 'Milliseconds degraded', 0),
  })
  .meta({ id: 'BacktestOutcome' });

const alertSchema = z
  .strictObject({
    status: z.enum(['down', 'degraded']).describe('The current status'),
    startedAt: instantSchema.describe('The first check of the run that triggered it'),
    decidedAt: described(instantSchema, 'When the event would have been sent', '2027-03-01T10:02:00.000Z'),
    endedAt: described(instantSchema.nullable(), 'null if ongoing', '2027-03-01T10:14:00.000Z'),
    reason: described(
      z.string().nullable(),
      'What triggered the alert; null if it is no longer known',
      'The request timed out.',
    ),
  })
  .meta({ id: 'BacktestAlert' });

/** The response of POST /monitors/:id/backtest. */
export const backtestSchema = z
  .strictObject({
    from: instantSchema.describe(
      'Later than requested if older results are no longer stored or the result limit was reached',
    ),
    to: described(instantSchema, 'The end of the period', '2027-03-02T10:00:00.000Z'),
    checks: described(
      count,
      'Number of stored results replayed; of a group, of periods of its members',
      1440,
    ),
    isCut: described(z.boolean(), 'Whether the result limit was reached', false),
    estimatedChecks: described(
      count,
      'Number of checks that confirmInterval would have made, each taken to have found what the next stored check of its region found. Outages shorter than the interval are not seen',
      24,
    ),
    sooner: described(
      z.int().nullable(),
      'Milliseconds by which the alerts about outages would have come sooner, in the median; negative for later, null without an outage in both',
      95_000,
    ),
    current: outcomeSchema.describe("With the monitor's current settings"),
    proposed: outcomeSchema.describe('With the proposed settings'),
    avoided: z
      .array(alertSchema)
      .describe('Alerts that the proposed settings would have avoided, newest first'),
    added: z.array(alertSchema).describe('Alerts that the proposed settings would have added, newest first'),
    silentRegions: described(
      z.array(regionIdSchema),
      'Proposed regions without stored results; they have no vote in the replay',
      [],
    ),
  })
  .meta({
    id: 'Backtest',
    description:
      'Stored results, replayed with the proposed and the current settings. Certificate warnings are not replayed.',
  });

export type BacktestInput = z.output<typeof backtestInputSchema>;
export type Backtest = z.output<typeof backtestSchema>;
