import { z } from 'zod';
import { monitorIdSchema } from '@/lib/schemas/text';
import { field } from './field';

/** Of one monitor. */
export const MAX_DEPENDENCIES = 10;

const dependsOnSchema = z
  .array(monitorIdSchema, 'must be an array of monitor IDs')
  .max(MAX_DEPENDENCIES, `must have at most ${MAX_DEPENDENCIES} monitors`)
  .refine((ids) => new Set(ids).size === ids.length, 'must not contain duplicates');

/** What a monitor cannot work without. */
export const DEPENDENCY_FIELDS = {
  dependsOn: field(
    dependsOnSchema.meta({
      description:
        'IDs of the monitors without which this one cannot work, such as a gateway. While one of them, or one that it depends on, is down, this monitor sends no emails or chat messages of its own',
      examples: [['mon_01jq2v7k3mfe5r8x9c4t6w0z1b']],
    }),
    {
      default: [],
      form: {
        section: 'dependencies',
        control: 'monitors',
        most: MAX_DEPENDENCIES,
        label: 'Depends on',
        hint: 'While one of these is down, this monitor sends no emails or chat messages of its own.',
      },
    },
  ),
};
