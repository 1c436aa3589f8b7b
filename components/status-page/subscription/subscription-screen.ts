import type { RowGroup } from '@/lib/domain/subscribers/chosen-rows';
import type { ChosenRows, RowsProblem } from '@/lib/schemas/status-pages/subscriber';

/** Why a subscription request was rejected. */
export type SubscriptionProblem = 'wrong' | 'tooMany' | 'pageLimit' | 'otherSite' | RowsProblem;

/** Rows to choose from, and the choice. */
type Choice = { groups: readonly RowGroup[]; rows: ChosenRows };

/** The screens of subscribing and unsubscribing. */
export type SubscriptionScreen =
  | ({ shows: 'form'; email: string; problem: SubscriptionProblem | null } & Choice)
  | ({
      shows: 'manage';
      email: string;
      language: string;
      /** Shown above or below the form. `rowsGone`: all rows that were chosen have left the page. */
      notice: 'saved' | 'rowsGone' | RowsProblem | null;
    } & Choice)
  | { shows: 'confirm' | 'confirmed' | 'unsubscribed' | 'expired' }
  | { shows: 'sent'; email: string };
