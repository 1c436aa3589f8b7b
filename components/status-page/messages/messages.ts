import type { INCIDENT_SEVERITIES, INCIDENT_STATUSES } from '@/lib/schemas/incidents/incident-statuses';
import type { State } from '../state';

/** A text by plural form; `{n}` is the number. A missing form falls back to `other`. */
export type Plural = { other: string } & Partial<Record<Intl.LDMLPluralRule, string>>;

/** Every text of the public page in one language, with its placeholders. */
export type Messages = {
  /** The name of the language in the language itself. */
  language: string;
  skip: string;
  languages: string;
  banner: Record<
    | 'operational'
    | 'degraded'
    | 'someDown'
    | 'allDown'
    | 'minorIncident'
    | 'majorIncident'
    | 'criticalIncident'
    | 'maintenance'
    | 'pending'
    | 'paused'
    | 'unknown'
    | 'noData'
    | 'empty',
    string
  >;
  state: Record<State, string>;
  /** {time} */
  asOf: string;
  /** {ago}: `12 seconds ago` */
  updated: string;
  /** {time} */
  stale: string;
  /** {time} */
  noDataSince: string;
  systems: string;
  noSystems: string;
  /** {percent} */
  uptime: string;
  daysAgo: Plural;
  today: string;
  /** {name}: the accessible name of a monitor's bars. */
  days: string;
  /** {duration} */
  dayDown: string;
  dayUnknown: string;
  incidents: Plural;
  daysWithIssues: Plural;
  formula: { summary: string; window: string; counted: string; day: string };
  responseTime: string;
  /** {ms} */
  median: string;
  /** {ms} */
  p95: string;
  noResponseTimes: string;
  incidentStatus: Record<(typeof INCIDENT_STATUSES)[number], string>;
  severity: Record<(typeof INCIDENT_SEVERITIES)[number], string>;
  openIncidents: string;
  pastIncidents: string;
  noPastIncidents: string;
  /** {names} */
  affects: string;
  /** {duration} */
  resolvedAfter: string;
  updates: string;
  postmortem: string;
  maintenance: { active: string; scheduled: string; past: string };
  history: string;
  currentStatus: string;
  months: string;
  incidentsOfMonth: string;
  noIncidentsOfMonth: string;
  /** {n} */
  cut: string;
  feed: string;
  subscription: {
    /** In the footer. */
    link: string;
    title: string;
    /** {name} */
    text: string;
    email: string;
    submit: string;
    wrong: string;
    tooMany: string;
    pageLimit: string;
    otherSite: string;
    /** {email} */
    sent: { title: string; text: string };
    /** {name} */
    confirm: { title: string; text: string; submit: string };
    confirmed: { title: string; text: string };
    expired: { title: string; text: string };
    unsubscribe: { title: string; text: string; submit: string };
    unsubscribed: { title: string; text: string };
  };
  notFound: { title: string; text: string };
  fault: { title: string; text: string };
};
