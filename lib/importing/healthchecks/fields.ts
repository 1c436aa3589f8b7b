import type { FieldName } from '@/lib/schemas/monitor/fields';
import { CALLS, IDENTITY } from '../plan/field-groups';

/** What the format can express. */
export const FIELDS = [
  ...IDENTITY,
  ...CALLS,
  'description',
  'tags',
  'enabled',
] as const satisfies readonly FieldName[];
