import { z } from 'zod';
import { creationOf, instantSchema, text } from '@/lib/schemas/text';

/** The body of POST /status-pages/:slug/tokens. */
export const createPageTokenSchema = z.strictObject(
  creationOf({ name: text(1, 100).describe('Who reads the page with it, for people') }, {}),
);

const HOURS = 'must be a whole number of hours from 0 to 168';

/** The body of POST /status-pages/:slug/tokens/:tokenId/rotate; none is the same as an empty one. */
export const rotatePageTokenSchema = z
  .strictObject({
    overlapHours: z
      .int(HOURS)
      .min(0, HOURS)
      .max(168, HOURS)
      .default(24)
      .describe('Hours for which the old token stays valid'),
  })
  .prefault({});

/** A token of a private page as the API returns it: without the token itself. */
export const pageTokenSchema = z
  .strictObject({
    id: z
      .string()
      .regex(/^pgt_/)
      .describe('The ID of the token')
      .meta({ examples: ['pgt_01kxk1y7f0h3m6p9s2v5x8b1df'] }),
    name: z
      .string()
      .describe('Who reads the page with it, for people')
      .meta({ examples: ['Feed reader of the support team'] }),
    hint: z
      .string()
      .describe('The first characters of the token')
      .meta({ examples: ['ph_page_x7Kq'] }),
    createdAt: instantSchema,
    expiresAt: instantSchema
      .nullable()
      .describe('When it stops being valid after a rotation; null for never'),
    lastUsedAt: instantSchema.nullable().describe('Accurate to the minute'),
    revokedAt: instantSchema.nullable(),
  })
  .meta({ id: 'PageToken' });

/** A new token: the only response that includes the token itself. */
export const newPageTokenSchema = pageTokenSchema
  .extend({
    token: z
      .string()
      .regex(/^ph_page_/)
      .describe('The token itself, returned only once')
      .meta({ examples: ['ph_page_0123456789abcdefghijklmnopqrstuv3Ka9Zq'] }),
  })
  .meta({ id: 'NewPageToken' });

export type PageToken = z.output<typeof pageTokenSchema>;
export type NewPageToken = z.output<typeof newPageTokenSchema>;
export type CreatePageToken = z.output<typeof createPageTokenSchema>;
export type RotatePageToken = z.output<typeof rotatePageTokenSchema>;
