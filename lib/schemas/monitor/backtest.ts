import { z } from 'zod';
import { regionIdSchema } from '@/lib/schemas/regions/region-id';
import { instantSchema } from '@/lib/schemas/text';
import { replayedSchema } from './fields';

const DAYS = 'must be a whole number of days from 1 to 30';

/** The body of POST /monitors/:id/backtest: the settings to simulate; omitted ones keep the monitor's values. */
export const backtestInputSchema = z
  .strictObject({
    days: z.int(DAYS).min(1, DAYS).max(30, DAYS).default(7),
    ...replayedSchema.partial().shape,
  })
  .prefault({});

const count = z.int().min(0);

const outcomeSchema = z
  .strictObject({
    down: count.describe('Number of monitor.down events'),
    degraded: count.describe('Number of monitor.degraded events'),
    downtime: count.describe('Milliseconds down'),
    degradedTime: count.describe('Milliseconds degraded'),
  })
  .meta({ id: 'BacktestOutcome' });

const alertSchema = z
  .strictObject({
    status: z.enum(['down', 'degraded']),
    startedAt: instantSchema.describe('The first check of the run that triggered it'),
    decidedAt: instantSchema.describe('When the event would have been sent'),
    endedAt: instantSchema.nullable().describe('null if ongoing'),
    reason: z.string().nullable(),
  })
  .meta({ id: 'BacktestAlert' });

/** The response of POST /monitors/:id/backtest. */
export const backtestSchema = z
  .strictObject({
    from: instantSchema.describe(
      'Later than requested if older results are no longer stored or the result limit was reached',
    ),
    to: instantSchema,
    checks: count.describe('Number of stored results replayed'),
    isCut: z.boolean().describe('Whether the result limit was reached'),
    estimatedChecks: count.describe(
      'Number of checks that confirmInterval would have made, each taken to have found what the next stored check of its region found. Outages shorter than the interval are not seen',
    ),
    sooner: z
      .int()
      .nullable()
      .describe(
        'Milliseconds by which the alerts about outages would have come sooner, in the median; negative for later, null without an outage in both',
      ),
    current: outcomeSchema.describe("With the monitor's current settings"),
    proposed: outcomeSchema,
    avoided: z
      .array(alertSchema)
      .describe('Alerts that the proposed settings would have avoided, newest first'),
    added: z.array(alertSchema).describe('Alerts that the proposed settings would have added, newest first'),
    silentRegions: z
      .array(regionIdSchema)
      .describe('Proposed regions without stored results; they have no vote in the replay'),
  })
  .meta({
    id: 'Backtest',
    description:
      'Stored results, replayed with the proposed and the current settings. Certificate warnings are not replayed.',
  });

export type BacktestInput = z.output<typeof backtestInputSchema>;
export type Backtest = z.output<typeof backtestSchema>;
