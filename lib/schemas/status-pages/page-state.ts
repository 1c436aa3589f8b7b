/** The states of a page, each as a sentence; pages show them in the language of their visitor. */
export const PAGE_SENTENCES = {
  operational: 'All systems operational',
  degraded: 'Degraded performance',
  partialOutage: 'Partial outage',
  majorOutage: 'Major outage',
  maintenance: 'Under maintenance',
  pending: 'Waiting for the first checks',
  paused: 'Monitoring is paused',
  unknown: 'Current status unknown',
  noData: 'No current data for some systems',
  empty: 'No systems yet',
};

/** The state of a page. `unknown`: there is no current data at all; `empty`: there are no monitors. */
export type PageState = keyof typeof PAGE_SENTENCES;
