import type { PageTexts } from './page-texts';

export const es: PageTexts = {
  subject: '{page}: {summary}',
  headings: {
    'incident.created': 'Incidentes nuevos',
    'incident.updated': 'Incidentes actualizados',
    'incident.resolved': 'Incidentes resueltos',
    'maintenance.started': 'Mantenimiento en curso',
    'maintenance.finished': 'Mantenimiento terminado',
    'maintenance.cancelled': 'Mantenimiento cancelado',
    'maintenance.moved': 'Mantenimiento reprogramado',
    'maintenance.planned': 'Mantenimiento programado',
  },
  status: {
    investigating: 'en investigación',
    identified: 'causa identificada',
    monitoring: 'en observación',
    resolved: 'resuelto',
  },
  incident: '{title} ({status})',
  maintenance: {
    'maintenance.planned': 'mantenimiento programado: {title}',
    'maintenance.moved': 'mantenimiento reprogramado: {title}',
    'maintenance.cancelled': 'mantenimiento cancelado: {title}',
    'maintenance.started': 'mantenimiento iniciado: {title}',
    'maintenance.finished': 'mantenimiento terminado: {title}',
  },
  span: 'De {from} a {to}.',
  spanIfMoved: 'Ahora de {from} a {to}.',
  spanIfCanceled: 'Estaba previsto de {from} a {to}.',
  several: 'novedades de {things}',
  incidents: { one: '{n} incidente', other: '{n} incidentes' },
  windows: { one: '{n} mantenimiento', other: '{n} mantenimientos' },
  affected: 'Afecta a: {names}',
  more: 'y {n} más',
  privateSummary: 'novedades',
  privateText:
    'Hay novedades en la página de estado {page}. Es privada, por lo que este correo no las incluye. Abra la página para leerlas.',
  openIncident: 'Ver el incidente',
  openPage: 'Ver la página de estado',
  footnote: 'Recibe este correo porque esta dirección está suscrita a la página de estado de {page}.',
  unsubscribe: 'Gestionar o darse de baja',
  confirmation: {
    subject: 'Confirme su suscripción a {page}',
    preheader: 'Confirme para recibir correos sobre incidentes y mantenimiento.',
    requested: 'Se han solicitado correos sobre incidentes y mantenimiento de {page} para esta dirección.',
    whatToDo:
      'Si fue usted, confírmelo en un plazo de {days} días. Si no, ignore este correo y no recibirá ninguno más.',
    endpointRequested:
      'Alguien pidió a {page} que envíe incidentes y mantenimiento a {host} e indicó esta dirección como la de su propietario.',
    imported: '{page} desea informarle en esta dirección sobre incidentes y mantenimiento.',
    ifWanted: 'Si lo desea, confírmelo en un plazo de {days} días. Si no, ignore este correo.',
    button: 'Confirmar la suscripción',
  },
  endpoint: {
    started: {
      subject: '{page} notifica a {host}',
      text: 'A partir de ahora, {host} recibe los incidentes y el mantenimiento de {page}. Conserve este correo: en su enlace puede elegir sistemas, renovar el secreto de firma o cancelar la suscripción.',
    },
    stopped: {
      subject: '{page} ya no notifica a {host}',
      text: '{host} no ha aceptado notificaciones durante 5 días, por lo que {page} dejó de enviarlas. Cuando vuelva a funcionar, puede reanudarlas desde el enlace.',
    },
    manage: 'Gestionar la suscripción',
  },
};
