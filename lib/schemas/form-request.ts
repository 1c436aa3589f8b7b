import { z } from 'zod';
import { regionQuery } from './query';
import { boundedRecord } from './text';

/** The form has some twenty fields. */
const typed = boundedRecord(z.string().max(100), z.string().max(1_000_000), 100);
const monitorId = z
  .string()
  .max(100)
  .regex(/^mon_[0-9a-z]{1,60}$/);

/**
 * One check from one region of what a form holds, to be read like the form that is sent. `source` is the monitor whose
 * hidden headers are meant.
 */
export const testRequestSchema = z.strictObject({
  typed,
  region: regionQuery,
  source: monitorId.nullable(),
});
