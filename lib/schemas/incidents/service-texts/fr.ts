import type { ServiceTexts } from './texts';

export const fr: ServiceTexts = {
  down: '{name} est en panne',
  degraded: '{name} est dégradé',
  isDown: '{name} est en panne.',
  isSlow: 'Les performances de {name} sont dégradées.',
  isSlowAgain: '{name} répond à nouveau, avec des performances dégradées.',
  isUp: '{name} est de nouveau opérationnel.',
  changed: 'Les détails de cet incident ont changé.',
  resolved: 'Cet incident est résolu.',
  reopened: 'Cet incident a été rouvert.',
  nowInvestigating: 'Cet incident est en cours d’analyse.',
  nowIdentified: 'La cause de cet incident est identifiée.',
  nowMonitoring: 'Cet incident est sous surveillance.',
  quietMinute: 'Cet incident est résolu : aucun autre problème depuis 1 minute.',
  quietMinutes: 'Cet incident est résolu : aucun autre problème depuis {n} minutes.',
};
