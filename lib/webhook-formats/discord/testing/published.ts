import type {
  RESTPatchAPIWebhookWithTokenMessageJSONBody,
  RESTPostAPIWebhookWithTokenJSONBody,
} from 'discord-api-types/v10';
import type { Mistake } from '../../testing/mistake';

export type Published = RESTPostAPIWebhookWithTokenJSONBody;
export type PublishedEdit = RESTPatchAPIWebhookWithTokenMessageJSONBody;

export const MISTAKES: Mistake[] = [
  ['"inline":', '"short":'],
  ['"parse":[]', '"parse":["channels"]'],
];
