import type { KnownBlock, MessageAttachment } from '@slack/types';
import type { ChatPostMessageArguments, ChatUpdateArguments } from '@slack/web-api';
import type { Mistake } from '../../testing/mistake';

/**
 * Only blocks that Slack documents: its own types also allow any other. An attachment of blocks needs no `fallback`, which they require.
 */
type Content = {
  text: string;
  blocks: KnownBlock[];
  attachments: (Pick<MessageAttachment, 'color'> & { blocks: KnownBlock[] })[];
};

export type Published = Pick<ChatPostMessageArguments, 'channel' | 'thread_ts' | 'reply_broadcast'> & Content;
export type PublishedEdit = Pick<ChatUpdateArguments, 'channel' | 'ts'> & Content;

export const MISTAKES: Mistake[] = [
  ['"color":', '"tint":'],
  ['"type":"mrkdwn"', '"type":"markdown"'],
];
