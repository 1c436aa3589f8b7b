import { z } from 'zod';
import { monitorIdSchema } from '@/lib/schemas/text';
import { monitorFields } from './fields';

/** Most monitors in one bulk action: as many as the Pro plan allows, changed in one transaction of a second or two. */
export const MAX_SELECTED = 1000;

/** The monitor IDs of a bulk action. IDs of other organizations are ignored. */
export const monitorSelectionSchema = z
  .array(monitorIdSchema, 'must be an array of IDs')
  .min(1, 'must include at least one monitor')
  .max(MAX_SELECTED, `must have at most ${MAX_SELECTED} monitors`);

/** Tags to add to the selected monitors and tags to remove. */
export const tagChangeSchema = z.strictObject({
  add: monitorFields.tags.default([]),
  remove: monitorFields.tags.default([]),
});
export type TagChange = z.output<typeof tagChangeSchema>;
