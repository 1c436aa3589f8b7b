import { z } from 'zod';
import { planSchema } from './people';
import { BUILT_IN_REGION_IDS } from './regions';
import { changesOf, creationOf, givenInstantSchema, instantSchema, nameText, versionSchema } from './text';

const scope = z.enum(['read', 'write'], 'must be read or write');

/** The body of POST /api-keys. The verb checks that `expiresAt` is in the future. */
export const createApiKeySchema = z.strictObject(
  creationOf(
    { name: nameText(1, 100), scope, expiresAt: givenInstantSchema.nullable() },
    { scope: 'write', expiresAt: null },
  ),
);

const HOURS = 'must be a whole number of hours from 0 to 720';

/** The body of POST /api-keys/:id/rotate; no body is the same as an empty one. */
export const rotateApiKeySchema = z
  .strictObject({ overlapHours: z.int(HOURS).min(0, HOURS).max(720, HOURS).default(24) })
  .prefault({});

/** An API key as the API returns it: without the key itself. */
export const apiKeySchema = z
  .strictObject({
    id: z.string().regex(/^key_/),
    name: z.string(),
    scope: z.enum(['read', 'write']),
    hint: z.string().describe('The first characters of the key'),
    version: versionSchema,
    createdAt: instantSchema,
    expiresAt: instantSchema.nullable(),
    lastUsedAt: instantSchema.nullable().describe('Accurate to the minute'),
    revokedAt: instantSchema.nullable(),
  })
  .meta({ id: 'ApiKey' });

/** The body of PUT /api-keys/:id: the name. What a key may do, and for how long, is fixed when it is created. */
export const updateApiKeySchema = changesOf({ name: nameText(1, 100) }, apiKeySchema);

/** A new key: the only response that includes the key itself. */
export const newApiKeySchema = apiKeySchema
  .extend({ apiKey: z.string().regex(/^ph_live_/) })
  .meta({ id: 'NewApiKey' });

const limit = z.int().nullable().describe('null: no limit');
const count = z.int().min(0);

/** The response of GET /me. */
export const meSchema = z
  .strictObject({
    organization: z.strictObject({ id: z.string(), name: z.string(), plan: planSchema }),
    key: z
      .strictObject({ id: z.string(), name: z.string(), scope: z.enum(['read', 'write']) })
      .nullable()
      .describe('The API key of this request'),
    limits: z.strictObject({
      monitors: limit,
      statusPages: limit,
      webhooks: limit,
      members: limit,
      regions: z.array(z.enum(BUILT_IN_REGION_IDS)),
      ownRegions: z.int(),
      customDomain: z.boolean(),
      branding: z.boolean(),
      privatePages: z.boolean(),
      requestsPerMinute: z.int(),
    }),
    usage: z.strictObject({
      monitors: count,
      statusPages: count,
      webhooks: count,
      members: count,
      ownRegions: count,
    }),
  })
  .meta({ id: 'Me' });

export type ApiKey = z.output<typeof apiKeySchema>;
export type NewApiKey = z.output<typeof newApiKeySchema>;
export type CreateApiKey = z.output<typeof createApiKeySchema>;
export type ApiKeyChanges = z.output<typeof updateApiKeySchema>;
export type RotateApiKey = z.output<typeof rotateApiKeySchema>;
export type Me = z.output<typeof meSchema>;
