import { z } from 'zod';
import { NO_EVIDENCE } from '@/lib/checks/evidence';
import { NO_PHASES } from '@/lib/checks/result';
import { described } from '@/lib/schemas/described';
import { pageQuery } from '@/lib/schemas/query';
import { regionIdSchema, regionQuery } from '@/lib/schemas/regions/region-id';
import { instantSchema, oneOf } from '@/lib/schemas/text';
import { phasesSchema } from './result';

/** Why a check left evidence. */
export const EVIDENCE_KINDS = ['failure', 'recovery', 'good'] as const;
export type EvidenceKind = (typeof EVIDENCE_KINDS)[number];

/** The query of GET /monitors/:id/evidence. */
export const evidenceQuerySchema = z.strictObject({
  region: regionQuery.optional().describe('The region of the check'),
  kind: oneOf(EVIDENCE_KINDS).optional().describe('What was recorded'),
  ...pageQuery,
});

const text = z.string();
const instant = instantSchema.nullable().default(null);

const body = z.object({
  text: text
    .nullable()
    .default(null)
    .describe('The first 16 KiB as text; null if it is not text, or its compression was not read')
    .meta({ examples: ['{"error":"database unavailable"}'] }),
  size: z.int().nonnegative().default(0).describe('Bytes received; at most 1 MiB is read'),
  truncated: z.boolean().default(false).describe('Whether `text` is only the beginning'),
  type: text
    .nullable()
    .default(null)
    .describe('Its Content-Type')
    .meta({ examples: ['application/json'] }),
  encoding: text
    .nullable()
    .default(null)
    .describe('Its Content-Encoding, if it was compressed')
    .meta({ examples: ['gzip'] }),
});

const redirect = z.object({
  statusCode: z
    .int()
    .default(0)
    .describe('The HTTP status code')
    .meta({ examples: [302] }),
  location: text
    .default('')
    .describe('Where it led')
    .meta({ examples: ['https://example.com/login'] }),
});

const certificate = z.object({
  subject: text
    .default('')
    .describe('Whom it was issued to')
    .meta({ examples: ['CN=example.com'] }),
  issuer: text
    .default('')
    .describe('Who issued it')
    .meta({ examples: ['CN=Example CA, O=Example, C=US'] }),
  validFrom: instant.describe('Start of its validity').meta({ examples: ['2026-11-01T00:00:00.000Z'] }),
  validTo: instant.describe('End of its validity').meta({ examples: ['2027-01-30T23:59:59.000Z'] }),
  names: z
    .array(text)
    .default([])
    .describe('Names it is valid for, at most 20')
    .meta({ examples: [['example.com', 'www.example.com']] }),
});

const dnsQuery = z.object({
  type: text
    .default('')
    .describe('Type of the record')
    .meta({ examples: ['MX'] }),
  server: text
    .default('')
    .describe('The DNS server that responded')
    .meta({ examples: ['9.9.9.9:53'] }),
  rcode: text
    .default('')
    .describe('Its response code')
    .meta({ examples: ['NOERROR'] }),
  answers: z
    .array(text)
    .default([])
    .describe('The records of this type, at most 50')
    .meta({ examples: [['10 mail.example.com']] }),
});

/** What is sealed. A row can come from a version that stores less or more. */
export const storedEvidenceSchema = z.object({
  responseTime: described(z.int().nonnegative().nullable().default(null), 'Milliseconds', 182),
  statusCode: described(
    z.int().nullable().default(null),
    'The HTTP status code; null for other types, and without a response',
    200,
  ),
  errorCode: described(
    text.nullable().default(null),
    'The kind of error, for programs; null if the check succeeded',
    null,
  ),
  errorMessage: text
    .nullable()
    .default(null)
    .describe('What went wrong, for people; null if the check succeeded')
    .meta({ examples: ['responded with 503, expected 200'] }),
  phases: phasesSchema.default(NO_PHASES),
  address: text
    .nullable()
    .default(null)
    .describe('The address that was connected to; null if none was')
    .meta({ examples: ['203.0.113.7'] }),
  addresses: z
    .array(text)
    .default(NO_EVIDENCE.addresses)
    .describe('The addresses that the name resolved to; empty if the target is an address')
    .meta({ examples: [['203.0.113.7', '203.0.113.8']] }),
  wasReset: z
    .boolean()
    .default(NO_EVIDENCE.wasReset)
    .describe('Whether the server reset the connection of a tcp monitor right after it accepted it'),
  redirects: z.array(redirect).default(NO_EVIDENCE.redirects).describe('In order, each with where it led'),
  statusLine: text
    .nullable()
    .default(null)
    .describe('Status line of the response; null without one')
    .meta({ examples: ['HTTP/1.1 503 Service Unavailable'] }),
  headers: z
    .record(z.string(), z.string())
    .default(NO_EVIDENCE.headers)
    .describe('Of the response. Values of cookies, authorization and the like are never stored: `[hidden]`')
    .meta({ examples: [{ 'content-type': 'text/html', 'set-cookie': '[hidden]' }] }),
  body: body.nullable().default(null).describe('The body of the response; null for none'),
  certificates: z
    .array(certificate)
    .default(NO_EVIDENCE.certificates)
    .describe('The certificate of the server, followed by its issuers'),
  certificateError: text
    .nullable()
    .default(null)
    .describe('Why the certificate could not be verified')
    .meta({ examples: ['certificate expired 2 days ago'] }),
  dnsQueries: z
    .array(dnsQuery)
    .default(NO_EVIDENCE.dnsQueries)
    .describe('The queries of a dns monitor and what was returned'),
  dialog: z
    .array(text)
    .default(NO_EVIDENCE.dialog)
    .describe('What a tcp monitor and the server said, at most 40 lines: `>` was sent, `<` received')
    .meta({ examples: [['< 220 mail.example.com ESMTP', '> EHLO [192.0.2.7]']] }),
});

/** What a check saw, as the API returns it. */
export const evidenceSchema = z
  .object({
    id: described(z.string(), 'The ID of the evidence', 'evd_01kc6n5h8cf5a9b3v2e9w4m6y8'),
    checkedAt: instantSchema.describe('When the check started'),
    region: regionIdSchema.nullable().describe('The region of the check'),
    kind: z
      .enum(EVIDENCE_KINDS)
      .describe(
        'failure: the first of a run; recovery: the first success after it; good: a successful check, once a day',
      ),
    ...storedEvidenceSchema.shape,
  })
  .meta({ id: 'Evidence' });

export type StoredEvidence = z.output<typeof storedEvidenceSchema>;
export type CheckEvidence = z.output<typeof evidenceSchema>;
export type EvidenceQuery = z.output<typeof evidenceQuerySchema>;
