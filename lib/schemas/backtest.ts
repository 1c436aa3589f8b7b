import { z } from 'zod';
import { replayedSchema } from './monitor/fields';
import { REGION_IDS } from './regions';
import { instantSchema } from './text';

const DAYS = 'must be a whole number of days from 1 to 30';

/** The body of POST /monitors/:id/backtest: settings to try; what is left out stays as the monitor has it. */
export const backtestInputSchema = z
  .strictObject({
    days: z.int(DAYS).min(1, DAYS).max(30, DAYS).default(7),
    ...replayedSchema.partial().shape,
  })
  .prefault({});

const count = z.int().min(0);

const outcomeSchema = z
  .strictObject({
    down: count.meta({ description: 'Times that monitor.down would have been sent' }),
    degraded: count.meta({ description: 'Times that monitor.degraded would have been sent' }),
    downtime: count.meta({ description: 'Milliseconds down' }),
    degradedTime: count.meta({ description: 'Milliseconds degraded' }),
  })
  .meta({ id: 'BacktestOutcome' });

const alertSchema = z
  .strictObject({
    status: z.enum(['down', 'degraded']),
    startedAt: instantSchema.meta({ description: 'The first check of the run that caused it' }),
    decidedAt: instantSchema.meta({ description: 'When it would have been told' }),
    endedAt: instantSchema.nullable().meta({ description: 'null: it goes on' }),
    reason: z.string().nullable(),
  })
  .meta({ id: 'BacktestAlert' });

/** What POST /monitors/:id/backtest answers. */
export const backtestSchema = z
  .strictObject({
    from: instantSchema.meta({ description: 'Later than asked for where fewer results are kept or read' }),
    to: instantSchema,
    checks: count.meta({ description: 'Stored results that were replayed' }),
    isCut: z.boolean().meta({ description: 'There were more results than are replayed at once' }),
    current: outcomeSchema.meta({ description: 'With the settings of the monitor as they are' }),
    proposed: outcomeSchema,
    avoided: z.array(alertSchema).meta({ description: 'Alerts that would not have been, newest first' }),
    added: z.array(alertSchema).meta({ description: 'Alerts that would have come, newest first' }),
    silentRegions: z
      .array(z.enum(REGION_IDS))
      .meta({ description: 'Proposed regions of which nothing is stored: they have no vote in it' }),
  })
  .meta({
    id: 'Backtest',
    description:
      'The stored results, replayed under the settings proposed and under those of now. Warnings about certificates are not replayed.',
  });

export type BacktestInput = z.output<typeof backtestInputSchema>;
export type Backtest = z.output<typeof backtestSchema>;
