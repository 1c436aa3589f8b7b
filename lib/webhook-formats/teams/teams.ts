import type { Format } from '../format';
import { renderTeams } from './render-teams';

/** A workflow that posts to a channel. */
export const teams = {
  label: 'Microsoft Teams',
  hint: 'Cards for a Microsoft Teams workflow.',
  documentation:
    'a message with an Adaptive Card, for a Teams workflow that posts to a channel when a webhook request is received.',
  reader: 'people',
  events: ['incidents'],
  render: renderTeams,
} as const satisfies Format;
