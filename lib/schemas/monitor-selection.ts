import { z } from 'zod';
import { monitorFields } from './monitor/fields';

/** So many monitors can be changed at once: a plan's worth, and a transaction of a second or two. */
export const MAX_SELECTED = 1000;

/**
 * The ids of monitors that something is to be done with together. Ids that the organization does not have are passed
 * over.
 */
export const monitorSelectionSchema = z
  .array(
    z
      .string()
      .max(100)
      .regex(/^mon_[0-9a-z]+$/, 'must be the id of a monitor'),
    'must be an array of ids',
  )
  .min(1, 'must name at least one monitor')
  .max(MAX_SELECTED, `must name at most ${MAX_SELECTED} monitors`);

/** Tags to put on the selected monitors, and tags to take off. */
export const tagChangeSchema = z.strictObject({
  add: monitorFields.tags.default([]),
  remove: monitorFields.tags.default([]),
});

export type TagChange = z.output<typeof tagChangeSchema>;
