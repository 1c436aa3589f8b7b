import {
  type MonitorInput,
  readMonitorInput,
  showField,
  type Typed,
} from '@/components/monitors/form/monitor-input';
import { CHECK_TYPES, MONITOR_TYPES } from '@/lib/checks/types';
import { cutText } from '@/lib/core/storable-text';
import { createMonitorSchema, type Monitor } from '@/lib/schemas/monitor';
import { FORM_FIELDS, type MonitorConfig } from '@/lib/schemas/monitor/fields';
import { parseInput } from '@/lib/schemas/validation';

const REQUIRED = { name: 'any', url: 'http://any.invalid' };

type Values = Record<string, string>;
type Query = Record<string, string | string[] | undefined>;

/**
 * The form of a new monitor as it opens: the schema's own defaults, with name, url and type from the address where it
 * names them.
 */
export function newMonitorValues(query: Query): Values {
  const defaults = parseInput(createMonitorSchema, REQUIRED);
  const given = (name: string) => (typeof query[name] === 'string' ? query[name] : '');
  const type = MONITOR_TYPES.find((each) => each === given('type')) ?? defaults.type;
  return toValues({ ...defaults, name: given('name'), url: given('url'), type });
}

/** A first monitor that answers at once: the service itself, which says that it lives to whoever asks. */
export function firstMonitorValues(baseUrl: string): Values {
  return newMonitorValues({ name: 'This service', url: `${baseUrl}/api/live` });
}

/** The form of a monitor as it is, without the values of its headers: nobody looks over a shoulder at a token. */
export function monitorValues(monitor: Monitor): Values {
  return toValues(monitor);
}

/** The form of another monitor like this one. A `ref` names one monitor only. */
export function copyValues(monitor: Monitor): Values {
  return toValues({ ...monitor, name: `${cutText(monitor.name, 93)} (copy)`, ref: null, enabled: true });
}

function toValues(config: MonitorConfig): Values {
  return {
    ...Object.fromEntries(FORM_FIELDS.map((field) => [field.name, showField(field, config[field.name])])),
    ...CHECK_TYPES[config.type].form.parts?.split(config.url),
  };
}

/** What was typed into the form as a body of the API that nobody has checked yet. */
export function readMonitorForm(typed: Typed): MonitorInput {
  return readMonitorInput(FORM_FIELDS, typed);
}
