import { type AlertSeverity, toAlert } from './alert';
import { clip, clipLine } from './clip';
import { toMessage, type WebhookEvent } from './message';

/** PagerDuty allows 1024 characters in a summary, and 512 KB in an event. */
const MAX_SUMMARY = 1024;
const MAX_TEXT = 5000;
const MAX_VALUE = 300;

const SEVERITIES: Record<AlertSeverity, string> = {
  critical: 'critical',
  major: 'error',
  minor: 'warning',
  none: 'info',
};

const ACTIONS = { open: 'trigger', acknowledged: 'acknowledge', over: 'resolve' } as const;

/**
 * The event for version 2 of PagerDuty's Events API, without the routing key. Further events of an alert that is open are added to
 * its log and notify nobody again.
 */
export function renderPagerDuty(event: WebhookEvent, appUrl: string | null): object {
  const { key, stage, severity } = toAlert(event);
  if (stage !== 'open') return { event_action: ACTIONS[stage], dedup_key: key };
  const { title, text, facts, link, at } = toMessage(event, appUrl);
  const source = 'monitor' in event ? event.monitor.name : appUrl === null ? 'Pharos' : new URL(appUrl).host;
  const details = facts.map(({ label, value }) => [label, clipLine(value, MAX_VALUE)]);
  return {
    event_action: ACTIONS[stage],
    dedup_key: key,
    payload: {
      summary: clipLine(title, MAX_SUMMARY),
      source: clipLine(source, MAX_VALUE),
      severity: SEVERITIES[severity],
      timestamp: at.toISOString(),
      class: event.event,
      custom_details: {
        ...(text === '' ? {} : { Description: clip(text, MAX_TEXT) }),
        ...Object.fromEntries(details),
      },
    },
    client: 'Pharos',
    ...(link ? { client_url: link.url, links: [{ href: link.url, text: link.label }] } : {}),
  };
}
