import type { FieldName } from '@/lib/schemas/monitor/fields';

// Fields that formats can only express together: one without the others would not fit what is stored of those.

/** Of every monitor. */
export const IDENTITY = ['name', 'ref', 'url', 'type'] as const satisfies readonly FieldName[];

/** Of an HTTP request and its status code, which may be an assertion. */
export const REQUEST = [
  'method',
  'headers',
  'body',
  'expectedStatusCode',
  'assertions',
] as const satisfies readonly FieldName[];

/** Of a heartbeat, which has either a period or a schedule. */
export const CALLS = ['period', 'schedule', 'grace'] as const satisfies readonly FieldName[];
