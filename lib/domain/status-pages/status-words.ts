import type { OverallStatus } from './overall-status';

/** The status of a whole page in a sentence, for people. */
export const PAGE_STATUS_SENTENCES: Record<OverallStatus, string> = {
  operational: 'All systems operational',
  degraded: 'Some systems are degraded',
  down: 'Some systems are down',
  pending: 'Not checked yet',
  noData: 'No current data for some systems',
};

/**
 * One colour for each status, for what is paused and for what is in maintenance; white text on any of them has a
 * contrast of 5 : 1 or more.
 */
export const STATUS_COLOURS: Record<OverallStatus | 'paused' | 'maintenance', string> = {
  operational: '#166534',
  degraded: '#92400e',
  down: '#b91c1c',
  pending: '#52525b',
  noData: '#52525b',
  paused: '#52525b',
  maintenance: '#1d4ed8',
};
