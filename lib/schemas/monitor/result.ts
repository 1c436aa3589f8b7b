import { z } from 'zod';
import type { PhaseName, ProbeResult } from '@/lib/checks/result';
import { DNS_RECORD_TYPES } from '@/lib/core/dns-record-types';
import { pageQuery } from '@/lib/schemas/query';
import { regionIdSchema, regionQuery } from '@/lib/schemas/regions/region-id';
import { instantSchema, oneOf } from '@/lib/schemas/text';

/** Outcomes of a check; `unknown` tells nothing about the target. Stored by index: append new ones. */
export const OUTCOMES = ['ok', 'failed', 'unknown'] as const satisfies ProbeResult['outcome'][];

/** What caused a check: the schedule, or a person or script that asked for one. Only scheduled ones count. */
export const TRIGGERS = ['schedule', 'manual'] as const;

/** The query of GET /monitors/:id/results. */
export const resultsQuerySchema = z.strictObject({
  region: regionQuery.optional(),
  outcome: oneOf(OUTCOMES).optional(),
  trigger: oneOf(TRIGGERS).optional(),
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

/** The phases of a check. */
export const phasesSchema = z
  .strictObject(phases)
  .describe('Milliseconds of each phase; null if it did not take place');

const checkedAt = instantSchema.describe('When the check started');
const found = {
  responseTime: milliseconds.describe('Milliseconds'),
  statusCode: z.int().nullable(),
  errorCode: z.string().nullable(),
  errorMessage: z
    .string()
    .nullable()
    .describe('Why the check failed; of a successful one, what is wrong nevertheless: it counts as slow'),
  phases: phasesSchema,
};

/** One check as the API returns it. Slow checks are `ok`: the threshold can change later, the outcome cannot. */
export const checkResultSchema = z
  .strictObject({
    checkedAt,
    region: regionIdSchema.nullable(),
    outcome: z.enum(OUTCOMES),
    trigger: z
      .enum(TRIGGERS)
      .describe('What caused the check; manual ones do not count toward status, uptime or response times'),
    late: z.boolean().meta({
      description:
        'Whether a probe delivered the result too late to count: measured while it could not reach Pharos, for example. Late results are in history and response times, but change neither status nor uptime',
      examples: [false],
    }),
    ...found,
  })
  .meta({ id: 'CheckResult' });

/** A check that was requested: the results so far, and the regions without one. */
export const manualCheckSchema = z
  .strictObject({
    id: z.string(),
    results: z.array(checkResultSchema),
    missing: z.array(regionIdSchema).describe('The regions that did not report in time'),
  })
  .meta({ id: 'ManualCheck' });

/** What a check saw. */
const observedSchema = z
  .strictObject({
    status: z
      .int()
      .nullable()
      .meta({ description: 'The status code', examples: [200] }),
    headers: z
      .record(z.string(), z.string())
      .nullable()
      .meta({
        description: 'The headers of the response, by name in lower case',
        examples: [{ server: 'nginx' }],
      }),
    body: z
      .string()
      .nullable()
      .meta({ description: 'The beginning of the body', examples: ['{"ok":true}'] }),
    bodyEnd: z
      .string()
      .nullable()
      .meta({ description: 'Where the body is cut; null if it is complete', examples: ['16 KiB'] }),
    responseTime: milliseconds.meta({ description: 'Milliseconds', examples: [182] }),
    size: z
      .int()
      .nullable()
      .meta({ description: 'Bytes of the body', examples: [4096] }),
    certificateDays: z
      .int()
      .nullable()
      .meta({
        description: 'Whole days until the first certificate expires that the check depends on',
        examples: [62],
      }),
    records: z
      .array(z.string())
      .nullable()
      .meta({ description: 'The DNS records', examples: [['192.0.2.1']] }),
    recordType: z
      .enum(DNS_RECORD_TYPES)
      .nullable()
      .default(null)
      .meta({
        description: 'The type of the DNS records; null if they are addresses of any type',
        examples: ['MX'],
      }),
    banner: z
      .string()
      .nullable()
      .meta({ description: 'What a TCP server sent', examples: ['220 ready'] }),
  })
  .meta({ id: 'Observed' });

/** The result of a dry run: one check from one region, not stored. */
export const dryRunSchema = z
  .strictObject({
    checkedAt,
    region: regionIdSchema,
    outcome: z
      .enum([...OUTCOMES, 'slow'])
      .describe(
        'slow: successful, but slower than degradedThreshold, with a certificate that expires within tlsExpiryDays, or something else is wrong; unknown: the check could not reach a verdict',
      ),
    ...found,
    certificateExpiresAt: instantSchema.nullable(),
    certificateIssuer: z.string().nullable(),
    certificateName: z.string().nullable().default(null),
    bodySize: z.int().nonnegative().nullable().describe('Bytes of the body; at most 1 MiB is read'),
    assertions: z
      .array(
        z
          .strictObject({
            passed: z.boolean().meta({ description: 'Whether the assertion holds', examples: [false] }),
            actual: z
              .string()
              .nullable()
              .meta({ description: 'What it was compared with; null if that is missing', examples: ['73'] }),
            message: z
              .string()
              .nullable()
              .meta({
                description: 'Why it does not hold; null if it does',
                examples: ['$.queue.depth is 73, expected less than 50'],
              }),
          })
          .meta({ id: 'AssertionOutcome' }),
      )
      .describe('The outcome of each assertion, in their order; empty without a response'),
    observed: observedSchema
      .nullable()
      .describe(
        'What assertions were compared with, with the first 16 KiB of the body; null without a response',
      ),
  })
  .meta({ id: 'DryRun' });

export type CheckResult = z.output<typeof checkResultSchema>;
export type ManualCheck = z.output<typeof manualCheckSchema>;
/** What a check found, apart from when, where and why it ran. */
export type Findings = Omit<CheckResult, 'checkedAt' | 'region' | 'outcome' | 'trigger' | 'late'>;
export type DryRun = z.output<typeof dryRunSchema>;
export type ResultsQuery = z.output<typeof resultsQuerySchema>;
