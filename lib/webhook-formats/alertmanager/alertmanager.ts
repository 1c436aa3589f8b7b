import type { Format } from '../format';
import { renderAlertmanager } from './render-alertmanager';

/** Prometheus Alertmanager, which groups monitors itself. */
export const alertmanager = {
  label: 'Alertmanager',
  hint: 'Alerts for Prometheus Alertmanager. The URL ends with /api/v2/alerts.',
  documentation:
    'alerts for Prometheus Alertmanager, with `url` ending in `/api/v2/alerts`. `MonitorDown` (`severity="critical"`) and `MonitorDegraded` (`severity="warning"`) have the label `monitor_id`; `Incident` has `incident_id`, and the severity of the incident. Names are in annotations, because they can change. An event ends the alerts that it replaces. Alerts that nothing ends last a year.',
  reader: 'alerts',
  events: ['monitors'],
  render: renderAlertmanager,
} as const satisfies Format;
