import type { CheckType } from '../check-type';

/** A job calls a URL of Pharos; it is late if no call arrives in time. */
export const heartbeat: CheckType = {
  isProbed: false,
  // A missed call is rarely a glitch, and the next one may be a day away.
  defaults: { alertThreshold: 1 },
  target: { shape: 'empty', parse: (text) => (text === '' ? { host: null } : null) },
  form: { label: 'URL', placeholder: '', groups: ['thresholds', 'calls'] },
  texts: { label: 'Heartbeat', request: () => 'calls by a job' },
  phases: [],
  assertions: [],
};
