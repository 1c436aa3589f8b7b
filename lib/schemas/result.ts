import { z } from 'zod';
import type { PhaseName, ProbeResult } from '@/lib/checks/result';
import { pageQuery, regionQuery } from './query';
import { REGION_IDS } from './regions';
import { instantSchema } from './text';

/** How a check can end; `unknown` says nothing of the target. Stored by place: a new one goes last. */
export const OUTCOMES = ['ok', 'failed', 'unknown'] as const satisfies ProbeResult['outcome'][];

/** The query of GET /monitors/:id/results. */
export const resultsQuerySchema = z.strictObject({
  region: regionQuery.optional(),
  outcome: z.enum(OUTCOMES, `must be one of ${OUTCOMES.join(', ')}`).optional(),
  ...pageQuery,
});

const milliseconds = z.int().nonnegative().nullable();

const phases = {
  dns: milliseconds,
  connect: milliseconds,
  tls: milliseconds,
  firstByte: milliseconds,
  transfer: milliseconds,
} satisfies Record<PhaseName, typeof milliseconds>;

const checkedAt = instantSchema.meta({ description: 'When the check began' });
const found = {
  responseTime: milliseconds.meta({ description: 'Milliseconds' }),
  statusCode: z.int().nullable(),
  errorCode: z.string().nullable(),
  errorMessage: z.string().nullable(),
  phases: z
    .strictObject(phases)
    .meta({ description: 'Milliseconds of each phase; null where there was none' }),
};

/** One check as the API answers it. A slow one is `ok`: what is slow can change, how it ended cannot. */
export const checkResultSchema = z
  .strictObject({ checkedAt, region: z.enum(REGION_IDS).nullable(), outcome: z.enum(OUTCOMES), ...found })
  .meta({ id: 'CheckResult' });

/** What a dry run of a monitor found: one check from one region, stored nowhere. */
export const dryRunSchema = z
  .strictObject({
    checkedAt,
    region: z.enum(REGION_IDS),
    outcome: z.enum([...OUTCOMES, 'slow']).meta({
      description: 'slow: good, but beyond degradedThreshold; unknown: says nothing about the target',
    }),
    ...found,
    certificateExpiresAt: instantSchema.nullable(),
    certificateIssuer: z.string().nullable(),
    bodySize: z
      .int()
      .nonnegative()
      .nullable()
      .meta({ description: 'Bytes of the body, of which at most 1 MiB is read' }),
  })
  .meta({ id: 'DryRun' });

export type CheckResult = z.output<typeof checkResultSchema>;
export type DryRun = z.output<typeof dryRunSchema>;
export type ResultsQuery = z.output<typeof resultsQuerySchema>;
