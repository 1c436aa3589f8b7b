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
  'assertions',
  'send',
  'expectedAnswer',
  'followRedirects',
  'maxRedirects',
  'tlsVerify',
  'tags',
] as const satisfies readonly FieldName[];
