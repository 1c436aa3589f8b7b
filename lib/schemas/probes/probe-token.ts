import { z } from 'zod';
import { regionIdSchema } from '@/lib/schemas/regions/region-id';
import { clearTokenField, createTokenSchema, tokenFields } from '@/lib/schemas/token';

const KIND = {
  id: 'prt',
  token: 'ph_probe_',
  holder: 'Where the probe runs, for people',
  example: 'Hamburg office',
};

/** The body of POST /regions/:id/tokens. */
export const createProbeTokenSchema = createTokenSchema(KIND.holder);

const { id, ...fields } = tokenFields(KIND);

/** A token of an own region as the API returns it: without the token itself. */
export const probeTokenSchema = z
  .strictObject({
    id,
    region: regionIdSchema.describe('The own region that its probes serve').meta({ examples: ['loc_101'] }),
    ...fields,
  })
  .meta({ id: 'ProbeToken' });

/** A new token: the only response that includes the token itself. */
export const newProbeTokenSchema = probeTokenSchema
  .extend(clearTokenField(KIND))
  .meta({ id: 'NewProbeToken' });

export type ProbeToken = z.output<typeof probeTokenSchema>;
export type NewProbeToken = z.output<typeof newProbeTokenSchema>;
