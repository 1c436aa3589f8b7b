import { fill } from '@/lib/core/text';
import type { Language } from '@/lib/schemas/language';

/** What the service writes about incidents. The English text is stored, and translated where it is shown. */
type ServiceTexts = {
  /** Titles and messages of automatic incidents. */
  down: string;
  degraded: string;
  isDown: string;
  isSlow: string;
  isSlowAgain: string;
  isUp: string;
  /** Updates without a message of their own. */
  changed: string;
  resolved: string;
  reopened: string;
  nowInvestigating: string;
  nowIdentified: string;
  nowMonitoring: string;
  quietMinute: string;
  quietMinutes: string;
};

export const SERVICE_TEXTS: Record<Language, ServiceTexts> = {
  en: {
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
  },
  de: {
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
  },
  fr: {
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
  },
  es: {
    down: '{name} está caído',
    degraded: '{name} tiene un rendimiento degradado',
    isDown: '{name} está caído.',
    isSlow: '{name} tiene un rendimiento degradado.',
    isSlowAgain: '{name} vuelve a responder, con un rendimiento degradado.',
    isUp: '{name} vuelve a estar operativo.',
    changed: 'Los detalles de este incidente han cambiado.',
    resolved: 'Este incidente está resuelto.',
    reopened: 'Este incidente se ha reabierto.',
    nowInvestigating: 'Se está investigando este incidente.',
    nowIdentified: 'Se ha identificado la causa de este incidente.',
    nowMonitoring: 'Este incidente está en observación.',
    quietMinute: 'Este incidente está resuelto: sin más problemas desde hace 1 minuto.',
    quietMinutes: 'Este incidente está resuelto: sin más problemas desde hace {n} minutos.',
  },
  ja: {
    down: '{name} が停止しています',
    degraded: '{name} の性能が低下しています',
    isDown: '{name} が停止しています。',
    isSlow: '{name} の性能が低下しています。',
    isSlowAgain: '{name} は再び応答していますが、性能が低下しています。',
    isUp: '{name} は復旧しました。',
    changed: 'この障害の内容が変更されました。',
    resolved: 'この障害は解決しました。',
    reopened: 'この障害は再開されました。',
    nowInvestigating: 'この障害を調査しています。',
    nowIdentified: 'この障害の原因を特定しました。',
    nowMonitoring: 'この障害の経過を観察しています。',
    quietMinute: 'この障害は解決しました。1 分間、新たな問題は発生していません。',
    quietMinutes: 'この障害は解決しました。{n} 分間、新たな問題は発生していません。',
  },
  pt: {
    down: '{name} está fora do ar',
    degraded: '{name} está com desempenho degradado',
    isDown: '{name} está fora do ar.',
    isSlow: '{name} está com desempenho degradado.',
    isSlowAgain: '{name} voltou a responder, com desempenho degradado.',
    isUp: '{name} está operacional novamente.',
    changed: 'Os detalhes deste incidente mudaram.',
    resolved: 'Este incidente foi resolvido.',
    reopened: 'Este incidente foi reaberto.',
    nowInvestigating: 'Este incidente está sendo investigado.',
    nowIdentified: 'A causa deste incidente foi identificada.',
    nowMonitoring: 'Este incidente está em observação.',
    quietMinute: 'Este incidente foi resolvido: nenhum outro problema há 1 minuto.',
    quietMinutes: 'Este incidente foi resolvido: nenhum outro problema há {n} minutos.',
  },
};

/** An English text, as it starts and ends around its value. */
const STORED = (Object.keys(SERVICE_TEXTS.en) as (keyof ServiceTexts)[]).map((key) => {
  const [start = '', end] = SERVICE_TEXTS.en[key].split(/\{\w+\}/);
  return { key, start, end, isNamed: SERVICE_TEXTS.en[key].includes('{name}') };
});

/** A text of the service in another language; any other text as it is. Those with a name are only ours in automatic incidents. */
export function translateServiceText(
  text: string,
  language: Language,
  { isAutomatic }: { isAutomatic: boolean },
): string {
  for (const { key, start, end, isNamed } of STORED) {
    if (isNamed && !isAutomatic) continue;
    if (end === undefined ? text !== start : !text.startsWith(start) || !text.endsWith(end)) continue;
    const value = text.slice(start.length, text.length - (end ?? '').length);
    if (isNamed || end === undefined || /^\d+$/.test(value)) {
      return fill(SERVICE_TEXTS[language][key], { name: value, n: value });
    }
  }
  return text;
}
