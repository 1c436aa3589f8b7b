import { z } from 'zod';
import { described } from '@/lib/schemas/described';
import { planSchema } from './people';
import { BUILT_IN_REGION_IDS } from './regions';
import {
  changesOf,
  createdAtSchema,
  creationOf,
  givenInstantSchema,
  instantSchema,
  nameText,
  versionSchema,
} from './text';
import { OVERLAP_HOURS } from './token';

const scope = z.enum(['read', 'write'], 'must be read or write');

/** The body of POST /api-keys. The verb checks that `expiresAt` is in the future. */
export const createApiKeySchema = z.strictObject(
  creationOf(
    {
      name: described(nameText(1, 100), 'The name, for people', 'CI'),
      scope: scope.describe('What the key may do: read, or read and write'),
      expiresAt: described(
        givenInstantSchema.nullable(),
        'When it expires; null for never',
        '2028-03-01T10:00:00.000Z',
      ),
    },
    { scope: 'write', expiresAt: null },
  ),
);

const HOURS = 'must be a whole number of hours from 0 to 720';

/** The body of POST /api-keys/:id/rotate; no body is the same as an empty one. */
export const rotateApiKeySchema = z
  .strictObject({
    overlapHours: z
      .int(HOURS)
      .min(0, HOURS)
      .max(720, HOURS)
      .default(OVERLAP_HOURS)
      .describe('Hours for which the old key stays valid'),
  })
  .prefault({});

/** An API key as the API returns it: without the key itself. */
export const apiKeySchema = z
  .strictObject({
    id: described(z.string().regex(/^key_/), 'The ID of the key', 'key_01kxk1y7f0h3m6p9s2v5x8b1df'),
    name: described(z.string(), 'The name, for people', 'CI'),
    scope: described(z.enum(['read', 'write']), 'What the key may do: read, or read and write', 'write'),
    hint: described(z.string(), 'The first characters of the key', 'ph_live_x7Kq'),
    version: versionSchema,
    createdAt: createdAtSchema,
    expiresAt: described(
      instantSchema.nullable(),
      'When it expires; null for never',
      '2028-03-01T10:00:00.000Z',
    ),
    lastUsedAt: instantSchema
      .nullable()
      .describe('When it was last used, accurate to the minute; null if never'),
    revokedAt: described(instantSchema.nullable(), 'When it was revoked; null while it is valid', null),
  })
  .meta({ id: 'ApiKey' });

/** The body of PUT /api-keys/:id: the name. What a key may do, and for how long, is fixed when it is created. */
export const updateApiKeySchema = changesOf(
  { name: described(nameText(1, 100), 'The name, for people', 'CI') },
  apiKeySchema,
);

/** A new key: the only response that includes the key itself. */
export const newApiKeySchema = apiKeySchema
  .extend({
    apiKey: described(
      z.string().regex(/^ph_live_/),
      'The key itself, returned only once',
      'ph_live_0123456789abcdefghijklmnopqrstuv3Ka9Zq',
    ),
  })
  .meta({ id: 'NewApiKey' });

const limit = z.int().nullable().describe('null: no limit');
const count = z.int().min(0);

/** The response of GET /me. */
export const meSchema = z
  .strictObject({
    organization: z
      .strictObject({
        id: described(z.string(), 'The ID of your organization', 'org_01kxk1z4h7k0p3r6v9x2b5d8fg'),
        name: described(z.string(), 'The name of your organization', 'Acme'),
        plan: described(planSchema, 'The plan', 'pro'),
      })
      .describe('Your organization'),
    key: z
      .strictObject({
        id: described(z.string(), 'The ID of the key', 'key_01kxk1y7f0h3m6p9s2v5x8b1df'),
        name: described(z.string(), 'The name, for people', 'Checkout API'),
        scope: described(z.enum(['read', 'write']), 'What the key may do: read, or read and write', 'write'),
      })
      .nullable()
      .describe('The API key of this request'),
    limits: z
      .strictObject({
        monitors: limit.meta({ example: 1000 }),
        statusPages: limit.meta({ example: 2 }),
        webhooks: limit.meta({ example: 3 }),
        emailRecipients: limit.meta({ example: 3 }),
        members: limit.meta({ example: 5 }),
        regions: described(z.array(z.enum(BUILT_IN_REGION_IDS)), 'Regions that you can use', [
          'us-east',
          'eu-west',
          'ap-southeast',
        ]),
        ownRegions: described(z.int(), 'Own regions that you can have', 50),
        customDomain: described(z.boolean(), 'Whether status pages can have a custom domain', true),
        branding: described(
          z.boolean(),
          'Whether status pages can have custom CSS and go without “Powered by”',
          true,
        ),
        privatePages: described(
          z.boolean(),
          'Whether status pages can have another visibility than `public`',
          true,
        ),
        requestsPerMinute: described(z.int(), 'Requests per minute', 600),
      })
      .describe('The limits of your plan; null for no limit'),
    usage: z
      .strictObject({
        monitors: described(count, 'Monitors that you have', 12),
        statusPages: described(count, 'Status pages', 2),
        webhooks: described(count, 'Webhook endpoints', 3),
        emailRecipients: described(count, 'Email recipients without an account', 1),
        members: described(count, 'Members, with open invitations', 5),
        ownRegions: described(count, 'Own regions that you have', 2),
      })
      .describe('What you use of them'),
  })
  .meta({ id: 'Me' });

export type ApiKey = z.output<typeof apiKeySchema>;
export type NewApiKey = z.output<typeof newApiKeySchema>;
export type CreateApiKey = z.output<typeof createApiKeySchema>;
export type ApiKeyChanges = z.output<typeof updateApiKeySchema>;
export type RotateApiKey = z.output<typeof rotateApiKeySchema>;
export type Me = z.output<typeof meSchema>;
