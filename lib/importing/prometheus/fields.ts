import type { FieldName } from '@/lib/schemas/monitor/fields';
import { IDENTITY, REQUEST } from '../plan/field-groups';

/** What the format can express. */
export const FIELDS = [
  ...IDENTITY,
  ...REQUEST,
  'interval',
  'timeout',
  'send',
  'protocol',
  'expectedAnswer',
  'followRedirects',
  'maxRedirects',
  'tlsVerify',
  'tags',
] as const satisfies readonly FieldName[];
