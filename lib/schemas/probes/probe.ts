import { z } from 'zod';
import { described } from '@/lib/schemas/described';
import { instantSchema } from '@/lib/schemas/text';

/** A probe as the API returns it. */
export const probeSchema = z
  .strictObject({
    id: z
      .uuid()
      .describe('The process: a restarted probe has another ID')
      .meta({ examples: ['3f0c2d52-9f1c-4d0b-8f7e-6a4f6f3f3c1a'] }),
    token: z
      .strictObject({
        id: z.string().regex(/^prt_/).describe('The ID'),
        name: described(z.string(), 'The name, for people', 'Checkout API'),
      })
      .describe('What it uses'),
    host: z
      .string()
      .describe('The name of its host')
      .meta({ examples: ['berlin-1'] }),
    address: z
      .string()
      .nullable()
      .describe('The IP address of its last report')
      .meta({ examples: ['203.0.113.7'] }),
    version: z
      .string()
      .nullable()
      .describe('The version of Pharos; null for a probe that is too old to report it, like the next three')
      .meta({ examples: ['0.2.0'] }),
    checksPerSecond: z
      .number()
      .nullable()
      .describe('Over the last minute')
      .meta({ examples: [12.5] }),
    lateness: z
      .int()
      .nullable()
      .describe(
        'Milliseconds: 99 % of the checks of the last minute began at most this much later than due; null without checks',
      )
      .meta({ examples: [35] }),
    backlog: z
      .int()
      .nullable()
      .describe('Results that it has not delivered yet')
      .meta({ examples: [0] }),
    startedAt: instantSchema.describe('When it began'),
    lastSeenAt: instantSchema.describe('Accurate to three seconds while it is live'),
    isLive: z
      .boolean()
      .describe('Whether it reported in the last 15 seconds. A silent probe is listed for a day.'),
  })
  .meta({ id: 'Probe' });

export type Probe = z.output<typeof probeSchema>;
