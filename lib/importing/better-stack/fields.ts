import type { FieldName } from '@/lib/schemas/monitor/fields';
import { CALLS, IDENTITY, REQUEST } from '../plan/field-groups';

/** What the format can express. */
export const FIELDS = [
  ...IDENTITY,
  ...REQUEST,
  ...CALLS,
  'interval',
  'timeout',
  'regions',
  'alertThreshold',
  'recoveryThreshold',
  'keyword',
  'followRedirects',
  'protocol',
  'tlsVerify',
  'tlsExpiryDays',
  'enabled',
] as const satisfies readonly FieldName[];
