import type { PageTexts } from './page-texts';

export const en: PageTexts = {
  subject: '{page}: {summary}',
  headings: {
    'incident.created': 'New incidents',
    'incident.updated': 'Updated incidents',
    'incident.resolved': 'Resolved incidents',
    'maintenance.started': 'Maintenance in progress',
    'maintenance.finished': 'Completed maintenance',
    'maintenance.cancelled': 'Canceled maintenance',
    'maintenance.moved': 'Rescheduled maintenance',
    'maintenance.planned': 'Scheduled maintenance',
  },
  status: {
    investigating: 'investigating',
    identified: 'identified',
    monitoring: 'monitoring',
    resolved: 'resolved',
  },
  incident: '{title} ({status})',
  maintenance: {
    'maintenance.planned': 'maintenance scheduled: {title}',
    'maintenance.moved': 'maintenance rescheduled: {title}',
    'maintenance.cancelled': 'maintenance canceled: {title}',
    'maintenance.started': 'maintenance started: {title}',
    'maintenance.finished': 'maintenance completed: {title}',
  },
  span: 'From {from} to {to}.',
  spanIfMoved: 'Now from {from} to {to}.',
  spanIfCanceled: 'It was scheduled from {from} to {to}.',
  several: 'updates on {things}',
  incidents: { one: '{n} incident', other: '{n} incidents' },
  windows: { one: '{n} maintenance window', other: '{n} maintenance windows' },
  affected: 'Affected: {names}',
  more: 'and {n} more',
  privateSummary: 'new update',
  privateText:
    'There is a new update on the {page} status page. It is private, so this email does not include it. Open the page to read it.',
  openIncident: 'View incident',
  openPage: 'View status page',
  footnote: 'You receive this email because this address is subscribed to the {page} status page.',
  unsubscribe: 'Manage or unsubscribe',
  confirmation: {
    subject: 'Confirm your subscription to {page}',
    preheader: 'Confirm to receive emails about incidents and maintenance.',
    requested: 'Someone requested emails about {page} incidents and maintenance for this address.',
    whatToDo:
      'If this was you, confirm within {days} days. Otherwise, ignore this email and you will not receive any more.',
    endpointRequested:
      'Someone asked {page} to send incidents and maintenance to {host}, and gave this address as that of its owner.',
    imported: '{page} would like to email you about incidents and maintenance at this address.',
    ifWanted: 'If you want that, confirm within {days} days. Otherwise, ignore this email.',
    button: 'Confirm subscription',
  },
  endpoint: {
    started: {
      subject: '{page} notifies {host}',
      text: '{host} is notified of {page} incidents and maintenance from now on. Keep this email: its link is where you choose systems, rotate the signing secret, or unsubscribe.',
    },
    stopped: {
      subject: '{page} stopped notifying {host}',
      text: '{host} has not accepted notifications for 5 days, so {page} stopped sending them. Once it works again, you can start it behind the link.',
    },
    manage: 'Manage subscription',
  },
};
