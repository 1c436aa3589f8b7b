import type { ServiceTexts } from './texts';

export const es: ServiceTexts = {
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
};
