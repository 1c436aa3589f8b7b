/** What events are about. */
export const EVENT_KINDS = [
  'monitor.down',
  'monitor.up',
  'monitor.degraded',
  'incident.created',
  'incident.updated',
  'incident.acknowledged',
  'incident.resolved',
] as const;
export type EventKind = (typeof EVENT_KINDS)[number];
