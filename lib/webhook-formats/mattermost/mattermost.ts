import type { Format } from '../format';
import { renderMattermost } from './render-mattermost';

/** An incoming webhook. */
export const mattermost = {
  label: 'Mattermost',
  hint: 'Messages for a Mattermost incoming webhook.',
  documentation: 'an attachment, for a Mattermost incoming webhook. It mentions nobody.',
  reader: 'people',
  events: ['incidents'],
  render: renderMattermost,
} as const satisfies Format;
