import type { PageTexts } from './page-texts';

export const fr: PageTexts = {
  subject: '{page} : {news}',
  headings: {
    'incident.created': 'Nouveaux incidents',
    'incident.updated': 'Incidents mis à jour',
    'incident.resolved': 'Incidents résolus',
    'maintenance.started': 'Maintenance en cours',
    'maintenance.finished': 'Maintenance terminée',
    'maintenance.cancelled': 'Maintenance annulée',
    'maintenance.moved': 'Maintenance à une autre date',
    'maintenance.planned': 'Maintenance prévue',
  },
  status: {
    investigating: 'En cours d’analyse',
    identified: 'Cause identifiée',
    monitoring: 'Sous surveillance',
    resolved: 'Résolu',
  },
  statusInText: {
    investigating: 'en cours d’analyse',
    identified: 'cause identifiée',
    monitoring: 'sous surveillance',
    resolved: 'résolu',
  },
  incident: '{title} ({status})',
  maintenance: {
    'maintenance.planned': 'maintenance prévue : {title}',
    'maintenance.moved': 'maintenance à une autre date : {title}',
    'maintenance.cancelled': 'maintenance annulée : {title}',
    'maintenance.started': 'maintenance commencée : {title}',
    'maintenance.finished': 'maintenance terminée : {title}',
  },
  span: {
    'maintenance.planned': 'Du {from} au {to}.',
    'maintenance.moved': 'Désormais du {from} au {to}.',
    'maintenance.cancelled': 'Elle était prévue du {from} au {to}.',
    'maintenance.started': 'Du {from} au {to}.',
    'maintenance.finished': 'Du {from} au {to}.',
  },
  several: 'du nouveau sur {things}',
  incidents: { one: '{n} incident', other: '{n} incidents' },
  windows: { one: '{n} maintenance', other: '{n} maintenances' },
  affected: 'Concerne : {names}',
  more: 'et {n} de plus',
  openIncident: 'Voir l’incident',
  openPage: 'Voir la page d’état',
  footnote: 'Vous recevez cet e-mail car cette adresse est abonnée à la page d’état de {page}.',
  unsubscribe: 'Se désabonner',
  confirmation: {
    subject: 'Confirmez votre abonnement à {page}',
    preheader: 'Un clic, et vous êtes informé des incidents et des maintenances.',
    asked: 'Des e-mails sur les incidents et les maintenances de {page} ont été demandés pour cette adresse.',
    whatToDo:
      'Si c’était vous, confirmez sous {days} jours. Sinon, ne faites rien : vous ne recevrez plus d’e-mail.',
    button: 'Confirmer l’abonnement',
  },
};
