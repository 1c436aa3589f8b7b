import type { IAdaptiveCard } from '@microsoft/teams.cards';
import type { Mistake } from '../../testing/mistake';

/** The documentation writes `Full`, the types `full`. */
export type Published = {
  type: 'message';
  attachments: {
    contentType: 'application/vnd.microsoft.card.adaptive';
    contentUrl: null;
    content: Omit<IAdaptiveCard, 'msteams'> & { msteams: { width: 'Full' } };
  }[];
};

export const MISTAKES: Mistake[] = [
  ['"isSubtle":', '"subtle":'],
  ['"style":"attention"', '"style":"danger"'],
];
