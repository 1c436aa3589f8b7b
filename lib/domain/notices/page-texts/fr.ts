import type { PageTexts } from './page-texts';

export const fr: PageTexts = {
  subject: '{page} : {summary}',
  headings: {
    'incident.created': 'Nouveaux incidents',
    'incident.updated': 'Incidents mis à jour',
    'incident.resolved': 'Incidents résolus',
    'maintenance.started': 'Maintenance en cours',
    'maintenance.finished': 'Maintenance terminée',
    'maintenance.cancelled': 'Maintenance annulée',
    'maintenance.moved': 'Maintenance reprogrammée',
    'maintenance.planned': 'Maintenance prévue',
  },
  status: {
    investigating: 'en cours d’analyse',
    identified: 'cause identifiée',
    monitoring: 'sous surveillance',
    resolved: 'résolu',
  },
  incident: '{title} ({status})',
  maintenance: {
    'maintenance.planned': 'maintenance prévue : {title}',
    'maintenance.moved': 'maintenance reprogrammée : {title}',
    'maintenance.cancelled': 'maintenance annulée : {title}',
    'maintenance.started': 'maintenance commencée : {title}',
    'maintenance.finished': 'maintenance terminée : {title}',
  },
  span: 'Du {from} au {to}.',
  spanIfMoved: 'Désormais du {from} au {to}.',
  spanIfCanceled: 'Elle était prévue du {from} au {to}.',
  several: 'du nouveau sur {things}',
  incidents: { one: '{n} incident', other: '{n} incidents' },
  windows: { one: '{n} maintenance', other: '{n} maintenances' },
  affected: 'Concerne : {names}',
  more: 'et {n} de plus',
  privateSummary: 'nouvelle information',
  privateText:
    'La page d’état {page} contient une nouvelle information. Cette page est privée ; l’e-mail ne reprend donc pas son contenu. Ouvrez la page pour le lire.',
  openIncident: 'Voir l’incident',
  openPage: 'Voir la page d’état',
  footnote: 'Vous recevez cet e-mail car cette adresse est abonnée à la page d’état de {page}.',
  unsubscribe: 'Gérer ou se désabonner',
  confirmation: {
    subject: 'Confirmez votre abonnement à {page}',
    preheader: 'Confirmez pour recevoir les e-mails sur les incidents et les maintenances.',
    requested:
      'Des e-mails sur les incidents et les maintenances de {page} ont été demandés pour cette adresse.',
    whatToDo:
      'Si c’était vous, confirmez sous {days} jours. Sinon, ignorez cet e-mail : vous n’en recevrez pas d’autre.',
    endpointRequested:
      'Quelqu’un a demandé à {page} d’envoyer les incidents et les maintenances à {host}, en indiquant cette adresse comme celle du propriétaire.',
    imported: '{page} souhaite vous informer à cette adresse des incidents et des maintenances.',
    ifWanted: 'Si vous le souhaitez, confirmez sous {days} jours. Sinon, ignorez cet e-mail.',
    button: 'Confirmer l’abonnement',
  },
  endpoint: {
    started: {
      subject: '{page} notifie {host}',
      text: '{host} est désormais informé des incidents et des maintenances de {page}. Conservez cet e-mail : son lien permet de choisir les systèmes, de renouveler le secret de signature ou de se désabonner.',
    },
    stopped: {
      subject: '{page} ne notifie plus {host}',
      text: '{host} n’a accepté aucune notification depuis 5 jours, {page} a donc cessé d’en envoyer. Une fois le problème résolu, vous pouvez les relancer via le lien.',
    },
    manage: 'Gérer l’abonnement',
  },
};
