import type { PageTexts } from './page-texts';

export const pt: PageTexts = {
  subject: '{page}: {summary}',
  headings: {
    'incident.created': 'Novos incidentes',
    'incident.updated': 'Incidentes atualizados',
    'incident.resolved': 'Incidentes resolvidos',
    'maintenance.started': 'Manutenção em andamento',
    'maintenance.finished': 'Manutenção encerrada',
    'maintenance.cancelled': 'Manutenção cancelada',
    'maintenance.moved': 'Manutenção reagendada',
    'maintenance.planned': 'Manutenção programada',
  },
  status: {
    investigating: 'em investigação',
    identified: 'causa identificada',
    monitoring: 'em observação',
    resolved: 'resolvido',
  },
  incident: '{title} ({status})',
  maintenance: {
    'maintenance.planned': 'manutenção programada: {title}',
    'maintenance.moved': 'manutenção reagendada: {title}',
    'maintenance.cancelled': 'manutenção cancelada: {title}',
    'maintenance.started': 'manutenção iniciada: {title}',
    'maintenance.finished': 'manutenção encerrada: {title}',
  },
  span: 'De {from} a {to}.',
  spanIfMoved: 'Agora de {from} a {to}.',
  spanIfCanceled: 'Estava programada de {from} a {to}.',
  several: 'novidades de {things}',
  incidents: { one: '{n} incidente', other: '{n} incidentes' },
  windows: { one: '{n} manutenção', other: '{n} manutenções' },
  affected: 'Afetados: {names}',
  more: 'e mais {n}',
  privateSummary: 'nova atualização',
  privateText:
    'Há uma nova atualização na página de status {page}. Ela é privada, por isso este e-mail não inclui o conteúdo. Abra a página para ler.',
  openIncident: 'Ver o incidente',
  openPage: 'Ver a página de status',
  footnote: 'Você recebe este e-mail porque este endereço assinou a página de status de {page}.',
  unsubscribe: 'Gerenciar ou cancelar',
  confirmation: {
    subject: 'Confirme sua assinatura de {page}',
    preheader: 'Confirme para receber e-mails sobre incidentes e manutenção.',
    requested: 'Foram solicitados e-mails sobre incidentes e manutenção de {page} para este endereço.',
    whatToDo:
      'Se foi você, confirme em até {days} dias. Caso contrário, ignore este e-mail e você não receberá mais nenhum.',
    endpointRequested:
      'Alguém pediu que {page} envie incidentes e manutenção para {host} e informou este endereço como o do proprietário.',
    imported: '{page} gostaria de informar você neste endereço sobre incidentes e manutenção.',
    ifWanted: 'Se desejar, confirme em até {days} dias. Caso contrário, ignore este e-mail.',
    button: 'Confirmar a assinatura',
  },
  endpoint: {
    started: {
      subject: '{page} notifica {host}',
      text: 'A partir de agora, {host} recebe os incidentes e a manutenção de {page}. Guarde este e-mail: pelo link você escolhe sistemas, renova o segredo de assinatura ou cancela a assinatura.',
    },
    stopped: {
      subject: '{page} não notifica mais {host}',
      text: '{host} não aceita notificações há 5 dias, por isso {page} parou de enviá-las. Quando voltar a funcionar, você pode retomá-las pelo link.',
    },
    manage: 'Gerenciar assinatura',
  },
};
