import { z } from 'zod';
import { regionIdSchema } from '@/lib/schemas/regions/region-id';
import { creationOf, instantSchema, text } from '@/lib/schemas/text';

/** The body of POST /regions/:id/tokens. */
export const createProbeTokenSchema = z.strictObject(
  creationOf({ name: text(1, 100).describe('Where the probe runs, for people') }, {}),
);

const HOURS = 'must be a whole number of hours from 0 to 168';

/** The body of POST /regions/:id/tokens/:tokenId/rotate; none is the same as an empty one. */
export const rotateProbeTokenSchema = z
  .strictObject({
    overlapHours: z
      .int(HOURS)
      .min(0, HOURS)
      .max(168, HOURS)
      .default(24)
      .describe('Hours for which the old token stays valid'),
  })
  .prefault({});

/** A token of an own region as the API returns it: without the token itself. */
export const probeTokenSchema = z
  .strictObject({
    id: z
      .string()
      .regex(/^prt_/)
      .describe('The ID of the token')
      .meta({ examples: ['prt_01kxk1y7f0h3m6p9s2v5x8b1df'] }),
    region: regionIdSchema.describe('The own region that its probes serve').meta({ examples: ['loc_101'] }),
    name: z
      .string()
      .describe('Where the probe runs, for people')
      .meta({ examples: ['Hamburg office'] }),
    hint: z
      .string()
      .describe('The first characters of the token')
      .meta({ examples: ['ph_probe_x7Kq'] }),
    createdAt: instantSchema,
    expiresAt: instantSchema
      .nullable()
      .describe('When it stops being valid after a rotation; null for never'),
    lastUsedAt: instantSchema.nullable().describe('Accurate to the minute'),
    revokedAt: instantSchema.nullable(),
  })
  .meta({ id: 'ProbeToken' });

/** A new token: the only response that includes the token itself. */
export const newProbeTokenSchema = probeTokenSchema
  .extend({
    token: z
      .string()
      .regex(/^ph_probe_/)
      .describe('The token itself, returned only once')
      .meta({ examples: ['ph_probe_0123456789abcdefghijklmnopqrstuv3Ka9Zq'] }),
  })
  .meta({ id: 'NewProbeToken' });

export type ProbeToken = z.output<typeof probeTokenSchema>;
export type NewProbeToken = z.output<typeof newProbeTokenSchema>;
export type CreateProbeToken = z.output<typeof createProbeTokenSchema>;
export type RotateProbeToken = z.output<typeof rotateProbeTokenSchema>;
