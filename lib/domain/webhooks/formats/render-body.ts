import type { WebhookFormat } from '@/lib/schemas/webhooks/webhook';
import { renderAlertmanager } from './alertmanager';
import { renderDiscord } from './discord';
import { renderGoogleChat } from './google-chat';
import { renderMattermost } from './mattermost';
import { type Message, toMessage, type WebhookEvent } from './message';
import { renderNtfy } from './ntfy';
import { renderOpsgenie } from './opsgenie';
import { renderPagerDuty } from './pager-duty';
import { renderPushover } from './pushover';
import { renderSlack } from './slack';
import { renderTeams } from './teams';
import { renderTelegram } from './telegram';

type Render = (event: WebhookEvent, appUrl: string | null) => object;

const RENDERERS: Record<Exclude<WebhookFormat, 'standard' | 'custom'>, Render> = {
  slack: asMessage(renderSlack),
  discord: asMessage(renderDiscord),
  teams: asMessage(renderTeams),
  mattermost: asMessage(renderMattermost),
  googlechat: asMessage(renderGoogleChat),
  alertmanager: renderAlertmanager,
  pagerduty: renderPagerDuty,
  opsgenie: renderOpsgenie,
  ntfy: renderNtfy,
  telegram: asMessage(renderTelegram),
  pushover: renderPushover,
};

/**
 * The exact body for an endpoint's format, without credentials; null for the standard format, which sends the payload itself, and for
 * custom ones, whose templates are rendered when a delivery is sent: they never hold up the change that the event is about.
 */
export function renderBody(format: WebhookFormat, event: WebhookEvent, appUrl: string | null): string | null {
  if (format === 'standard' || format === 'custom') return null;
  return JSON.stringify(RENDERERS[format](event, appUrl));
}

function asMessage(render: (message: Message) => object): Render {
  return (event, appUrl) => render(toMessage(event, appUrl));
}
