import { createMonitorSchema } from '@/lib/schemas/monitor';
import { MONITOR_TYPES } from '@/lib/schemas/monitor-fields';
import { parseInput } from '@/lib/schemas/validation';

const REQUIRED = { name: 'any', url: 'http://any.invalid' };

/** The form as it opens: the schema's own defaults, with name, url and type from the address where it names them. */
export function initialValues(query: Record<string, string | string[] | undefined>): Record<string, string> {
  const defaults = parseInput(createMonitorSchema, REQUIRED);
  const given = (name: string) => (typeof query[name] === 'string' ? query[name] : '');
  return {
    name: given('name'),
    url: given('url'),
    type: MONITOR_TYPES.find((type) => type === given('type')) ?? defaults.type,
    method: defaults.method,
    interval: String(defaults.interval),
    timeout: String(defaults.timeout),
    expectedStatusCode: String(defaults.expectedStatusCode),
    regions: defaults.regions.join(','),
    alertThreshold: String(defaults.alertThreshold),
    recoveryThreshold: String(defaults.recoveryThreshold),
    degradedThreshold: String(defaults.degradedThreshold),
    followRedirects: defaults.followRedirects ? 'on' : '',
    tlsVerify: defaults.tlsVerify ? 'on' : '',
    enabled: defaults.enabled ? 'on' : '',
  };
}
