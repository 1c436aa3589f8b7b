import type { PageNoticeKind } from '@/lib/domain/notices/write-page-notices';
import type { IncidentStatus } from '@/lib/platform/db/generated/enums';

/** A text by plural form; `{n}` is the number. A form that is absent is `other`. */
export type Plural = { other: string } & Partial<Record<Intl.LDMLPluralRule, string>>;

type MaintenanceKind = Extract<PageNoticeKind, `maintenance.${string}`>;

/** Every text of the mails to subscribers of a status page in one language. `{…}` are filled in. */
export type PageTexts = {
  /** {page}, {news}: the subject of every mail. */
  subject: string;
  /** Headings of a mail about several things. */
  headings: Record<PageNoticeKind, string>;
  status: Record<IncidentStatus, string>;
  /** The same within a sentence. */
  statusInText: Record<IncidentStatus, string>;
  /** {title}, {status}: the news of one incident, in a subject. */
  incident: string;
  /** {title}: the news of one window, in a subject. */
  maintenance: Record<MaintenanceKind, string>;
  /** {from}, {to}: when. */
  span: Record<MaintenanceKind, string>;
  /** {things}: the news of several things, in a subject. */
  several: string;
  incidents: Plural;
  windows: Plural;
  /** {names} */
  affected: string;
  /** {n}: ends a list that is longer. */
  more: string;
  openIncident: string;
  openPage: string;
  /** {page}: why the reader gets the mail. */
  footnote: string;
  unsubscribe: string;
  /** The mail that asks an address whether it wants them. {page}, {days} */
  confirmation: {
    subject: string;
    preheader: string;
    asked: string;
    whatToDo: string;
    button: string;
  };
};
