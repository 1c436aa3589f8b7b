/// <reference types="@maxim_mazurok/gapi.client.chat-v1" />
import type { ApiMethods } from '@grammyjs/types';
import type { MessageAttachment as MattermostAttachment } from '@mattermost/types/message_attachments';
import type { IAdaptiveCard } from '@microsoft/teams.cards';
import type { event } from '@pagerduty/pdjs';
import type { KnownBlock, MessageAttachment } from '@slack/types';
import type { ChatPostMessageArguments, ChatUpdateArguments } from '@slack/web-api';
import type {
  RESTPatchAPIWebhookWithTokenMessageJSONBody,
  RESTPostAPIWebhookWithTokenJSONBody,
} from 'discord-api-types/v10';

/**
 * Only blocks that Slack documents: its own types also allow any other. An attachment of blocks needs no `fallback`, which they require.
 */
type SlackContent = {
  text: string;
  blocks: KnownBlock[];
  attachments: (Pick<MessageAttachment, 'color'> & { blocks: KnownBlock[] })[];
};

type PagerDutyEvent = Parameters<typeof event>[0]['data'];

/** The types that each product, or who keeps its client, publishes for the bodies that it takes. */
export type Published = {
  slack: Pick<ChatPostMessageArguments, 'channel' | 'thread_ts' | 'reply_broadcast'> & SlackContent;
  discord: RESTPostAPIWebhookWithTokenJSONBody;
  /** The documentation writes `Full`, the types `full`. */
  teams: {
    type: 'message';
    attachments: {
      contentType: 'application/vnd.microsoft.card.adaptive';
      contentUrl: null;
      content: Omit<IAdaptiveCard, 'msteams'> & { msteams: { width: 'Full' } };
    }[];
  };
  mattermost: { attachments: MattermostAttachment[] };
  googlechat: gapi.client.chat.Message;
  telegram: Parameters<ApiMethods<never>['sendMessage']>[0];
  /** The client has no `client`, and requires a payload of every event; neither is what the documentation says. */
  pagerduty:
    | (PagerDutyEvent & { event_action: 'trigger'; client?: string; client_url?: string })
    | (Pick<PagerDutyEvent, 'routing_key' | 'dedup_key'> & { event_action: 'acknowledge' | 'resolve' });
};

/** The same for bodies that edit a message. */
export type PublishedEdit = {
  slack: Pick<ChatUpdateArguments, 'channel' | 'ts'> & SlackContent;
  discord: RESTPatchAPIWebhookWithTokenMessageJSONBody;
  telegram: Parameters<ApiMethods<never>['editMessageText']>[0];
};
