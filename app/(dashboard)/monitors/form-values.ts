import {
  type MonitorInput,
  readMonitorInput,
  showField,
  type Typed,
} from '@/components/monitors/form/monitor-input';
import { CHECK_TYPES, MONITOR_TYPES } from '@/lib/checks/types';
import { cutText } from '@/lib/core/storable-text';
import { createMonitorSchema, defaultsOfType, type Monitor } from '@/lib/schemas/monitor';
import { FORM_FIELDS, type MonitorConfig, suggestedValues } from '@/lib/schemas/monitor/fields';
import { parseInput } from '@/lib/schemas/validation';

const REQUIRED = { name: 'any', url: 'http://any.invalid' };

type Values = Record<string, string>;
type Query = Record<string, string | string[] | undefined>;

/**
 * Initial form values of a new monitor: the schema's defaults and what is suggested instead, with `name`, `url`, and `type` from the query string if
 * given.
 */
export function newMonitorValues(query: Query): Values {
  const defaults = parseInput(createMonitorSchema, REQUIRED);
  const given = (name: string) => (typeof query[name] === 'string' ? query[name] : '');
  const type = MONITOR_TYPES.find((each) => each === given('type')) ?? defaults.type;
  const suggested = { ...defaults, ...suggestedValues, ...defaultsOfType(type) };
  return toValues({ ...suggested, name: given('name'), url: given('url'), type });
}

/** The suggested first monitor: Pharos itself, whose liveness endpoint needs no credentials. */
export function firstMonitorValues(baseUrl: string): Values {
  return newMonitorValues({ name: 'This service', url: `${baseUrl}/api/live` });
}

/** Form values of an existing monitor, with secret header values hidden. */
export function monitorValues(monitor: Monitor): Values {
  return toValues(monitor);
}

/** Form values of a copy. A `ref` is unique, so it is not copied. */
export function copyValues(monitor: Monitor): Values {
  return toValues({ ...monitor, name: `${cutText(monitor.name, 93)} (copy)`, ref: null, enabled: true });
}

function toValues(config: MonitorConfig): Values {
  return {
    ...Object.fromEntries(FORM_FIELDS.map((field) => [field.name, showField(field, config[field.name])])),
    ...CHECK_TYPES[config.type].form.parts?.split(config.url),
  };
}

/** The submitted form as an unvalidated body of the API. */
export function readMonitorForm(typed: Typed): MonitorInput {
  return readMonitorInput(FORM_FIELDS, typed);
}
