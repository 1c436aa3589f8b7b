import type { FieldName } from '@/lib/schemas/monitor/fields';

/** What the format can express. */
export const FIELDS = [
  'name',
  'ref',
  'description',
  'url',
  'type',
  'period',
  'schedule',
  'grace',
  'tags',
  'enabled',
] as const satisfies readonly FieldName[];
