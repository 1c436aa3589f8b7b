import { z } from 'zod';
import { REGION_IDS } from './regions';
import { instantSchema } from './text';

const milliseconds = z.int().nonnegative().nullable();

/** What a dry run of a monitor found: one check from one region, stored nowhere. */
export const dryRunSchema = z
  .strictObject({
    checkedAt: instantSchema,
    region: z.enum(REGION_IDS),
    outcome: z.enum(['ok', 'slow', 'failed', 'unknown']).meta({
      description: 'slow: good, but beyond degradedThreshold; unknown: says nothing about the target',
    }),
    responseTime: milliseconds,
    statusCode: z.int().nullable(),
    errorCode: z.string().nullable(),
    errorMessage: z.string().nullable(),
    phases: z.strictObject({
      dns: milliseconds,
      connect: milliseconds,
      tls: milliseconds,
      firstByte: milliseconds,
      transfer: milliseconds,
    }),
    certificateExpiresAt: instantSchema.nullable(),
    certificateIssuer: z.string().nullable(),
    bodySize: z
      .int()
      .nonnegative()
      .nullable()
      .meta({ description: 'Bytes of the body, of which at most 1 MiB is read' }),
  })
  .meta({ id: 'DryRun' });

export type DryRunResult = z.output<typeof dryRunSchema>;
