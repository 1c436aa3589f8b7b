import { z } from 'zod';
import { described } from '@/lib/schemas/described';
import { createdAtSchema, creationOf, instantSchema, nameText } from './text';

/** The body of POST …/tokens. `holder` says for people who or what uses the token. */
export function createTokenSchema(holder: string) {
  return z.strictObject(creationOf({ name: described(nameText(1, 100), holder, 'Checkout API') }, {}));
}

/** How long a key or token that is replaced stays valid unless the request says otherwise. */
export const OVERLAP_HOURS = 24;
const HOUR_MS = 3_600_000;

/** When a key or token that is replaced at `now` stops being valid: after the overlap, or earlier if it was due to. */
export function endOfOverlap(expiresAt: Date | null, overlapHours: number, now: Date): Date {
  const end = new Date(now.getTime() + overlapHours * HOUR_MS);
  return expiresAt !== null && expiresAt < end ? expiresAt : end;
}

const HOURS = 'must be a whole number of hours from 0 to 168';

/** The body of POST …/tokens/:tokenId/rotate; no body is the same as an empty one. */
export const rotateTokenSchema = z
  .strictObject({
    overlapHours: z
      .int(HOURS)
      .min(0, HOURS)
      .max(168, HOURS)
      .default(OVERLAP_HOURS)
      .describe('Hours for which the old token stays valid'),
  })
  .prefault({});

/** A kind of tokens: what their IDs and the tokens themselves begin with, and who or what uses one. */
type Kind = { id: string; token: string; holder: string; example: string };

/** The fields of a token as the API returns it: without the token itself. */
export function tokenFields({ id, token, holder, example }: Kind) {
  return {
    id: z
      .string()
      .regex(new RegExp(`^${id}_`))
      .describe('The ID of the token')
      .meta({ examples: [`${id}_01kxk1y7f0h3m6p9s2v5x8b1df`] }),
    name: z
      .string()
      .describe(holder)
      .meta({ examples: [example] }),
    hint: z
      .string()
      .describe('The first characters of the token')
      .meta({ examples: [`${token}x7Kq`] }),
    createdAt: createdAtSchema,
    expiresAt: described(
      instantSchema.nullable(),
      'When it stops being valid after a rotation; null for never',
      '2028-03-01T10:00:00.000Z',
    ),
    lastUsedAt: instantSchema
      .nullable()
      .describe('When it was last used, accurate to the minute; null if never'),
    revokedAt: described(instantSchema.nullable(), 'When it was revoked; null while it is valid', null),
  };
}

/** The field that only the response with a new token has. */
export function clearTokenField({ token }: Kind) {
  return {
    token: z
      .string()
      .regex(new RegExp(`^${token}`))
      .describe('The token itself, returned only once')
      .meta({ examples: [`${token}0123456789abcdefghijklmnopqrstuv3Ka9Zq`] }),
  };
}

export type CreateToken = z.output<ReturnType<typeof createTokenSchema>>;
export type RotateToken = z.output<typeof rotateTokenSchema>;
