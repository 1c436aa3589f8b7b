import type { event } from '@pagerduty/pdjs';
import type { Mistake } from '../../testing/mistake';

type PagerDutyEvent = Parameters<typeof event>[0]['data'];

/** The client has no `client`, and requires a payload of every event; neither is what the documentation says. */
export type Published =
  | (PagerDutyEvent & { event_action: 'trigger'; client?: string; client_url?: string })
  | (Pick<PagerDutyEvent, 'routing_key' | 'dedup_key'> & { event_action: 'acknowledge' | 'resolve' });

export const MISTAKES: Mistake[] = [
  ['"client_url":', '"clientUrl":'],
  ['"severity":"critical"', '"severity":"major"'],
];
