import type { WebhookFormat } from '@/lib/schemas/webhook';
import { renderDiscord } from './discord';
import { describeTold, type Message, type Told } from './message';
import { renderSlack } from './slack';
import { renderTeams } from './teams';

const RENDERERS: Record<Exclude<WebhookFormat, 'standard'>, (message: Message) => object> = {
  slack: renderSlack,
  discord: renderDiscord,
  teams: renderTeams,
};

/** What an endpoint of a format is sent instead of the payload, to the byte; null in the standard format: the payload itself. */
export function renderBody(format: WebhookFormat, told: Told, appUrl: string | null): string | null {
  if (format === 'standard') return null;
  return JSON.stringify(RENDERERS[format](describeTold(told, appUrl)));
}
