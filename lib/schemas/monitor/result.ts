import { z } from 'zod';
import type { PhaseName, ProbeResult } from '@/lib/checks/result';
import { DNS_RECORD_TYPES } from '@/lib/core/dns-record-types';
import { described } from '@/lib/schemas/described';
import { pageQuery } from '@/lib/schemas/query';
import { regionIdSchema, regionQuery } from '@/lib/schemas/regions/region-id';
import { instantSchema, oneOf } from '@/lib/schemas/text';

/** Outcomes of a check; `unknown` tells nothing about the target. Stored by index: append new ones. */
export const OUTCOMES = ['ok', 'failed', 'unknown'] as const satisfies ProbeResult['outcome'][];

/** What caused a check: the schedule, or a person or script that asked for one. Only scheduled ones count. */
export const TRIGGERS = ['schedule', 'manual'] as const;

/** The query of GET /monitors/:id/results. */
export const resultsQuerySchema = z.strictObject({
  region: regionQuery.optional().describe('The region of the check'),
  outcome: described(
    oneOf(OUTCOMES).optional(),
    'The result of the check; unknown says nothing about the target',
    'ok',
  ),
  trigger: described(
    oneOf(TRIGGERS).optional(),
    'What caused the check; manual ones count toward nothing',
    'schedule',
  ),
  ...pageQuery,
});

const milliseconds = z.int().nonnegative().nullable();

const phases = {
  dns: described(milliseconds, 'Milliseconds to resolve the host name', 12),
  connect: described(milliseconds, 'Milliseconds to connect', 20),
  tls: described(milliseconds, 'Milliseconds of the TLS handshake', 41),
  firstByte: described(milliseconds, 'Milliseconds until the first byte of the response', 96),
  transfer: described(milliseconds, 'Milliseconds until the last byte of the response', 13),
} satisfies Record<PhaseName, typeof milliseconds>;

/** The phases of a check. */
export const phasesSchema = z
  .strictObject(phases)
  .describe('Milliseconds of each phase; null if it did not take place');

const checkedAt = instantSchema.describe('When the check started');
const found = {
  responseTime: described(milliseconds, 'Milliseconds', 182),
  statusCode: described(
    z.int().nullable(),
    'The HTTP status code; null for other types, and without a response',
    200,
  ),
  errorCode: described(
    z.string().nullable(),
    'The kind of error, for programs; null if the check succeeded',
    null,
  ),
  errorMessage: described(
    z.string().nullable(),
    'Why the check failed; of a successful one, what is wrong nevertheless: it counts as slow',
    null,
  ),
  phases: phasesSchema,
};

/** One check as the API returns it. Slow checks are `ok`: the threshold can change later, the outcome cannot. */
export const checkResultSchema = z
  .strictObject({
    checkedAt,
    region: regionIdSchema.nullable().describe('The region of the check'),
    outcome: described(
      z.enum(OUTCOMES),
      'The result of the check; unknown says nothing about the target',
      'ok',
    ),
    trigger: described(
      z.enum(TRIGGERS),
      'What caused the check; manual ones do not count toward status, uptime or response times',
      'schedule',
    ),
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
    id: described(z.string(), 'The ID of the check', 'chk_01kxk24m5p8s1v4x7b0d3f6h9k'),
    results: z.array(checkResultSchema).describe('The result of each region that reported in time'),
    missing: described(z.array(regionIdSchema), 'The regions that did not report in time', []),
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
    region: regionIdSchema.describe('The region of the check'),
    outcome: described(
      z.enum([...OUTCOMES, 'slow']),
      'slow: successful, but slower than degradedThreshold, with a certificate that expires within tlsExpiryDays, or something else is wrong; unknown: the check could not reach a verdict',
      'ok',
    ),
    ...found,
    certificateExpiresAt: described(
      instantSchema.nullable(),
      'When the first of the certificates expires that the check depended on: those of all redirects, and their issuers as far as they were verified; null without TLS',
      '2027-06-01T00:00:00.000Z',
    ),
    certificateIssuer: described(
      z.string().nullable(),
      'Who issued that certificate; null without TLS',
      "Let's Encrypt",
    ),
    certificateName: described(
      z.string().nullable().default(null),
      'Which certificate that is; null if it is that of the target itself, or without TLS',
      'intermediate certificate “R3”',
    ),
    bodySize: described(z.int().nonnegative().nullable(), 'Bytes of the body; at most 1 MiB is read', 4096),
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
