import type { RowGroup } from '@/lib/domain/subscribers/chosen-rows';
import type {
  ConfirmedEndpoint,
  SubscribedEndpoint,
} from '@/lib/domain/subscribers/endpoints/endpoint-subscription';
import type { ChosenRows, RowsProblem } from '@/lib/schemas/status-pages/subscriber';
import type { SubscriberChannel } from '@/lib/schemas/status-pages/subscriber-channel';

/** Why a subscription request was rejected. */
export type SubscriptionProblem =
  | 'wrong'
  | 'wrongUrl'
  | 'wrongSlack'
  | 'tooMany'
  | 'pageLimit'
  | 'otherSite'
  | RowsProblem;

/** Rows to choose from, and the choice. */
type Choice = { groups: readonly RowGroup[]; rows: ChosenRows };

/** The screens of subscribing and unsubscribing. */
export type SubscriptionScreen =
  | ({
      shows: 'form';
      email: string;
      channel: SubscriberChannel;
      url: string;
      problem: SubscriptionProblem | null;
    } & Choice)
  | ({
      shows: 'manage';
      email: string;
      language: string;
      /** Shown above or below the form. `rowsGone`: all rows that were chosen have left the page. */
      notice: 'saved' | 'rowsGone' | RowsProblem | null;
      endpoint: SubscribedEndpoint | null;
      /** The new signing secret of a webhook, shown once. */
      secret: string | null;
    } & Choice)
  /** `host` is that of an endpoint. */
  | { shows: 'confirm'; host: string | null }
  | { shows: 'confirmed'; endpoint: ConfirmedEndpoint | null }
  /** `full`: the page has no place for this endpoint. */
  | { shows: 'unsubscribed' | 'expired' | 'full' }
  | { shows: 'sent'; email: string };
