import { z } from 'zod';
import { pageQuery, regionQuery } from './query';
import { REGION_IDS } from './regions';
import { instantSchema } from './text';

/** How a check can end; `unknown` says nothing of the target. */
export const OUTCOMES = ['ok', 'failed', 'unknown'] as const;

/** The query of GET /monitors/:id/results. */
export const resultsQuerySchema = z.strictObject({
  region: regionQuery.optional(),
  outcome: z.enum(OUTCOMES, `must be one of ${OUTCOMES.join(', ')}`).optional(),
  ...pageQuery,
});

const milliseconds = z.int().nullable();

/** One check as the API answers it. A slow one is `ok`: what is slow can change, how it ended cannot. */
export const checkResultSchema = z
  .strictObject({
    checkedAt: instantSchema.meta({ description: 'When the check began' }),
    region: z.enum(REGION_IDS).nullable(),
    outcome: z.enum(OUTCOMES),
    responseTime: milliseconds.meta({ description: 'Milliseconds' }),
    statusCode: z.int().nullable(),
    errorCode: z.string().nullable(),
    errorMessage: z.string().nullable(),
    phases: z
      .strictObject({
        dns: milliseconds,
        connect: milliseconds,
        tls: milliseconds,
        firstByte: milliseconds,
        transfer: milliseconds,
      })
      .meta({ description: 'Milliseconds of each phase; null where there was none' }),
  })
  .meta({ id: 'CheckResult' });

export type CheckResult = z.output<typeof checkResultSchema>;
export type ResultsQuery = z.output<typeof resultsQuerySchema>;
