import type { FieldName } from '@/lib/schemas/monitor/fields';
import { CALLS, IDENTITY, REQUEST } from '../plan/field-groups';

/** What the format can express. */
export const FIELDS = [
  ...IDENTITY,
  ...REQUEST,
  ...CALLS,
  'interval',
  'timeout',
  'alertThreshold',
  'recoveryThreshold',
  'send',
  'protocol',
  'expectedAnswer',
  'followRedirects',
  'tlsVerify',
  'tags',
  'enabled',
] as const satisfies readonly FieldName[];
