import type { PageTexts } from './page-texts';

export const de: PageTexts = {
  subject: '{page}: {summary}',
  headings: {
    'incident.created': 'Neue Störungen',
    'incident.updated': 'Neues zu Störungen',
    'incident.resolved': 'Behobene Störungen',
    'maintenance.started': 'Laufende Wartung',
    'maintenance.finished': 'Beendete Wartung',
    'maintenance.cancelled': 'Abgesagte Wartung',
    'maintenance.moved': 'Verschobene Wartung',
    'maintenance.planned': 'Geplante Wartung',
  },
  status: {
    investigating: 'wird untersucht',
    identified: 'Ursache gefunden',
    monitoring: 'wird beobachtet',
    resolved: 'behoben',
  },
  incident: '{title} ({status})',
  maintenance: {
    'maintenance.planned': 'geplante Wartung: {title}',
    'maintenance.moved': 'Wartung verschoben: {title}',
    'maintenance.cancelled': 'Wartung abgesagt: {title}',
    'maintenance.started': 'Wartung begonnen: {title}',
    'maintenance.finished': 'Wartung beendet: {title}',
  },
  span: 'Von {from} bis {to}.',
  spanIfMoved: 'Jetzt von {from} bis {to}.',
  spanIfCanceled: 'Geplant war sie von {from} bis {to}.',
  several: 'Neues zu {things}',
  incidents: { one: '{n} Störung', other: '{n} Störungen' },
  windows: { one: '{n} Wartung', other: '{n} Wartungen' },
  affected: 'Betroffen: {names}',
  more: 'und {n} weitere',
  privateSummary: 'neue Meldung',
  privateText:
    'Auf der Statusseite {page} gibt es eine neue Meldung. Die Seite ist nicht öffentlich, deshalb steht die Meldung nicht in dieser E-Mail. Öffnen Sie die Seite, um sie zu lesen.',
  openIncident: 'Störung ansehen',
  openPage: 'Statusseite ansehen',
  footnote: 'Sie erhalten diese E-Mail, weil diese Adresse die Statusseite von {page} abonniert hat.',
  unsubscribe: 'Verwalten oder abmelden',
  confirmation: {
    subject: 'Bestätigen Sie Ihr Abonnement von {page}',
    preheader: 'Bestätigen Sie, um E-Mails über Störungen und Wartungen zu erhalten.',
    requested: 'Für diese Adresse wurden E-Mails über Störungen und Wartungen von {page} angefordert.',
    whatToDo:
      'Wenn Sie das waren, bestätigen Sie innerhalb von {days} Tagen. Andernfalls ignorieren Sie diese E-Mail; Sie erhalten dann keine weiteren.',
    endpointRequested:
      '{page} wurde gebeten, Störungen und Wartungen an {host} zu senden, mit dieser Adresse als der des Inhabers.',
    imported: '{page} möchte Sie unter dieser Adresse per E-Mail über Störungen und Wartungen informieren.',
    ifWanted:
      'Wenn Sie das möchten, bestätigen Sie innerhalb von {days} Tagen. Andernfalls ignorieren Sie diese E-Mail.',
    button: 'Abonnement bestätigen',
  },
  endpoint: {
    started: {
      subject: '{page} benachrichtigt {host}',
      text: '{host} wird ab jetzt über Störungen und Wartungen von {page} benachrichtigt. Bewahren Sie diese E-Mail auf: Hinter ihrem Link wählen Sie Systeme, ersetzen den Signaturschlüssel oder melden sich ab.',
    },
    stopped: {
      subject: '{page} benachrichtigt {host} nicht mehr',
      text: '{host} hat seit 5 Tagen keine Benachrichtigungen angenommen, deshalb sendet {page} keine mehr. Sobald es wieder funktioniert, können Sie sie hinter dem Link wieder starten.',
    },
    manage: 'Abonnement verwalten',
  },
};
