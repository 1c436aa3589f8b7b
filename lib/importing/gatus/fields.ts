import type { FieldName } from '@/lib/schemas/monitor/fields';

/** What the format can express. */
export const FIELDS = [
  'name',
  'ref',
  'url',
  'type',
  'method',
  'interval',
  'timeout',
  'expectedStatusCode',
  'headers',
  'body',
  'alertThreshold',
  'recoveryThreshold',
  'assertions',
  'send',
  'expectedAnswer',
  'followRedirects',
  'tlsVerify',
  'period',
  'schedule',
  'grace',
  'tags',
  'enabled',
] as const satisfies readonly FieldName[];
