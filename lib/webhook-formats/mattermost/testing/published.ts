import type { MessageAttachment } from '@mattermost/types/message_attachments';
import type { Mistake } from '../../testing/mistake';

export type Published = { attachments: MessageAttachment[] };

export const MISTAKES: Mistake[] = [
  ['"title_link":', '"titleLink":'],
  ['"short":true', '"short":"true"'],
];
