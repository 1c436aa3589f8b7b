import type { FieldName } from '@/lib/schemas/monitor/fields';
import { CALLS, IDENTITY, REQUEST } from '../plan/field-groups';

/** What the format can express. */
export const FIELDS = [
  ...IDENTITY,
  ...REQUEST,
  ...CALLS,
  'description',
  'interval',
  'timeout',
  'alertThreshold',
  'recoveryThreshold',
  'confirmInterval',
  'keyword',
  'protocol',
  'ipVersion',
  'resolvers',
  'resolverMatch',
  'followRedirects',
  'maxRedirects',
  'tlsVerify',
  'tlsExpiryDays',
  'tags',
  'enabled',
] as const satisfies readonly FieldName[];
