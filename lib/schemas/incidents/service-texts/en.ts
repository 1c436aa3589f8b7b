import type { ServiceTexts } from './texts';

export const en: ServiceTexts = {
  down: '{name} is down',
  degraded: '{name} is degraded',
  isDown: '{name} is down.',
  isSlow: '{name} shows degraded performance.',
  isSlowAgain: '{name} is responding again, with degraded performance.',
  isUp: '{name} is operational again.',
  changed: 'The details of this incident have changed.',
  resolved: 'This incident is resolved.',
  reopened: 'This incident was reopened.',
  nowInvestigating: 'The status is now investigating.',
  nowIdentified: 'The status is now identified.',
  nowMonitoring: 'The status is now monitoring.',
  quietMinute: 'This incident is resolved: no further problems for 1 minute.',
  quietMinutes: 'This incident is resolved: no further problems for {n} minutes.',
};
