import type { ServiceTexts } from './texts';

export const de: ServiceTexts = {
  down: '{name} ist ausgefallen',
  degraded: '{name} ist beeinträchtigt',
  isDown: '{name} ist ausgefallen.',
  isSlow: '{name} ist beeinträchtigt.',
  isSlowAgain: '{name} antwortet wieder, ist aber beeinträchtigt.',
  isUp: '{name} ist wieder betriebsbereit.',
  changed: 'Die Angaben zu dieser Störung wurden geändert.',
  resolved: 'Diese Störung ist behoben.',
  reopened: 'Diese Störung wurde wieder geöffnet.',
  nowInvestigating: 'Die Störung wird untersucht.',
  nowIdentified: 'Die Ursache der Störung ist bekannt.',
  nowMonitoring: 'Die Störung wird beobachtet.',
  quietMinute: 'Diese Störung ist behoben: seit 1 Minute keine weiteren Probleme.',
  quietMinutes: 'Diese Störung ist behoben: seit {n} Minuten keine weiteren Probleme.',
};
