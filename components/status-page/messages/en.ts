import { PAGE_SENTENCES } from '@/lib/schemas/status-pages/page-state';

/** The texts in English; the other languages have the same ones, with the same placeholders. */
export const en = {
  /** The name of the language in the language itself. */
  language: 'English',
  skip: 'Skip to content',
  languages: 'Languages',
  banner: PAGE_SENTENCES,
  state: {
    operational: 'Operational',
    degraded: 'Degraded',
    partialOutage: 'Partial outage',
    majorOutage: 'Major outage',
    down: 'Down',
    pending: 'No data yet',
    noData: 'No data',
    paused: 'Paused',
    maintenance: 'Maintenance',
  },
  asOf: 'As of {time}',
  updated: 'Updated {ago}',
  stale: 'Could not refresh. Last updated {time}.',
  noDataSince: 'No data since {time}',
  systems: 'Systems',
  noSystems: 'This page has no systems yet.',
  uptime: '{percent} uptime',
  /** Of a day or an uptime that people have corrected, followed by what was measured. */
  corrected: 'corrected',
  measured: '{percent} measured',
  uptimeOf30Days: '{percent} uptime, 30 days',
  /** The first day with data is within the 30 days. */
  uptimeSince: '{percent} uptime since {day}',
  daysAgo: { one: '{n} day ago', other: '{n} days ago' },
  today: 'Today',
  /** The accessible name of a monitor's bars. */
  days: '{name}: day by day',
  dayDown: 'Down for {duration}',
  incidents: { one: '{n} incident', other: '{n} incidents' },
  daysWithIssues: { one: '{n} day with issues', other: '{n} days with issues' },
  formula: {
    summary: 'How uptime is calculated',
    window:
      'Uptime = time not down ÷ monitored time over the last 30 days. It is never rounded up: 100% means no downtime at all.',
    counted:
      'Degraded time does not count as downtime. Time that is paused, in maintenance, or without data is excluded.',
    day: 'Each bar is one day in UTC and shows its worst status.',
  },
  responseTime: 'Response time, last 24 hours',
  median: 'median {ms}',
  p95: '95th percentile {ms}',
  noResponseTimes: 'no data yet',
  incidentStatus: {
    investigating: 'Investigating',
    identified: 'Identified',
    monitoring: 'Monitoring',
    resolved: 'Resolved',
  },
  severity: { minor: 'Minor', major: 'Major', critical: 'Critical' },
  openIncidents: 'Open incidents',
  pastIncidents: 'Incidents in the last 14 days',
  noPastIncidents: 'No other incidents in the last 14 days.',
  affects: 'Affects {names}',
  /** Affected systems that are not named. */
  more: { one: '{n} more', other: '{n} more' },
  openIncidentCount: { one: '{n} open incident', other: '{n} open incidents' },
  resolvedAfter: 'Resolved after {duration}',
  postmortem: 'Postmortem',
  maintenance: { active: 'Maintenance in progress', scheduled: 'Scheduled maintenance', past: 'Maintenance' },
  history: 'History',
  currentStatus: 'Current status',
  months: 'Months',
  uptimeByMonth: 'Uptime by month',
  incidentsOfMonth: 'Incidents',
  noIncidentsOfMonth: 'No incidents.',
  cut: 'Only the {n} most recent incidents are shown.',
  feed: 'Feed',
  calendar: 'Maintenance calendar',
  poweredBy: 'Powered by {name}',
  subscription: {
    /** In the footer. */
    link: 'Subscribe by email',
    title: 'Get email updates',
    text: 'Get an email when {name} reports an incident or maintenance. You can unsubscribe at any time.',
    email: 'Email address',
    submit: 'Subscribe',
    wrong: 'Enter an email address such as name@example.com.',
    tooMany: 'Too many attempts. Wait a minute and try again.',
    pageLimit: 'This page has received too many subscription requests. Try again in an hour.',
    otherSite: 'This form was submitted from another site. To subscribe, enter your email address here.',
    sent: {
      title: 'Check your inbox',
      text: 'If {email} is not subscribed yet, we sent it a confirmation link. The link works for 7 days.',
    },
    confirm: {
      title: 'Confirm your subscription',
      text: 'You will get an email when {name} reports an incident or maintenance.',
      submit: 'Confirm',
    },
    confirmed: {
      title: 'You are subscribed',
      text: 'You will get an email about incidents and maintenance.',
    },
    expired: {
      title: 'This link has expired',
      text: 'It is older than 7 days, or a newer email replaced it. You can subscribe again.',
    },
    unsubscribe: {
      title: 'Unsubscribe?',
      text: 'You will no longer get emails about this page.',
      submit: 'Unsubscribe',
    },
    unsubscribed: {
      title: 'You are unsubscribed',
      text: 'We will not send more emails to this address.',
    },
  },
  /** What a private page asks for. */
  password: {
    title: 'Enter the password',
    text: 'This status page is only for people who have its password.',
    label: 'Password',
    submit: 'Continue',
    wrong: 'Incorrect password.',
    tooMany: 'Too many attempts. Wait a minute and try again.',
    otherSite: 'This form was submitted from another site. Enter the password here.',
  },
  notFound: {
    title: 'Status page not found',
    text: 'It may not be public, or the link is wrong.',
  },
  fault: {
    title: 'This page is unavailable right now',
    text: 'Something went wrong on our side. Try again in a moment.',
  },
};
