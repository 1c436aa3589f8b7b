import { discord } from './discord';
import type { EditableProduct } from './product';
import { slackBot } from './slack-bot';
import { telegram } from './telegram';

/** The product of an endpoint, if its messages can be edited: Slack only with the token of a bot. Null for others. */
export function editableProduct(format: string, hasCredentials: boolean): EditableProduct | null {
  switch (format) {
    case 'slack':
      return hasCredentials ? slackBot : null;
    case 'discord':
      return discord;
    case 'telegram':
      return telegram;
    default:
      return null;
  }
}
