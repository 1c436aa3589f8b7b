import type { ServiceTexts } from './texts';

export const pt: ServiceTexts = {
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
};
