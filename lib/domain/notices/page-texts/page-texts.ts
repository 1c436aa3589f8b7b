import type { PageNoticeKind } from '@/lib/domain/notices/write-page-notices';
import type { IncidentStatus } from '@/lib/platform/db/generated/enums';

/** A text by plural form; `{n}` is the number. Missing forms fall back to `other`. */
export type Plural = { other: string } & Partial<Record<Intl.LDMLPluralRule, string>>;
type MaintenanceKind = Extract<PageNoticeKind, `maintenance.${string}`>;

/** Every text of the emails to subscribers of a status page, in one language. Placeholders are listed for each. */
export type PageTexts = {
  /** {page}, {summary}: the subject of every email. */
  subject: string;
  /** Headings of a digest. */
  headings: Record<PageNoticeKind, string>;
  /** Within a sentence; elsewhere capitalized. */
  status: Record<IncidentStatus, string>;
  /** {title}, {status}: the summary of one incident. */
  incident: string;
  /** {title}: the summary of one window. */
  maintenance: Record<MaintenanceKind, string>;
  /** {from}, {to}: the time of a window. */
  span: string;
  spanIfMoved: string;
  spanIfCanceled: string;
  /** {things}: the summary of a digest. */
  several: string;
  incidents: Plural;
  windows: Plural;
  /** {names} */
  affected: string;
  /** {n}: the end of a truncated list. */
  more: string;
  /** Of a private page: the subject after its name, and all that is revealed. */
  privateSummary: string;
  privateText: string;
  openIncident: string;
  openPage: string;
  /** {page}: why the reader receives the email. */
  footnote: string;
  /** The link to what a subscriber can change, and to unsubscribe. */
  unsubscribe: string;
  /** The email that asks a new subscriber to confirm. {page}, {days} */
  confirmation: {
    subject: string;
    preheader: string;
    requested: string;
    /** The same for an endpoint at {host}. */
    endpointRequested: string;
    whatToDo: string;
    /** Instead of these two, to an address that the owner of the page has imported. */
    imported: string;
    ifWanted: string;
    button: string;
  };
  /** Emails to the owner of an endpoint at {host}, a webhook or a Slack channel. {page} */
  endpoint: {
    started: { subject: string; text: string };
    stopped: { subject: string; text: string };
    /** The link to the subscription. */
    manage: string;
  };
};
