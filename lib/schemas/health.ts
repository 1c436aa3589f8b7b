import { z } from 'zod';
import { instantSchema } from './text';

/** The answer of /live. */
export const liveSchema = z.strictObject({ status: z.literal('ok') }).meta({ id: 'Live' });

/**
 * The answer of /health: 200 with ok, else 503 with what is missing. `inngest` is there while Inngest wakes nothing and the
 * workers wake themselves.
 */
export const healthSchema = z
  .strictObject({
    status: z.enum(['ok', 'unavailable']),
    missing: z.array(z.enum(['database', 'engine', 'web'])).optional(),
    inngest: z.strictObject({ silentSince: instantSchema }).optional(),
  })
  .meta({ id: 'Health' });
