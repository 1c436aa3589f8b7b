import { composeNoticeMail } from '@/lib/domain/notices/notice-mail';
import type { Notice } from '@/lib/notify/notices';
import { mailContentSchema } from '@/lib/platform/mail/queue-mail';
import { renderMail } from '@/lib/platform/mail/render-mail';

/** When notices occurred, unless a test says otherwise. */
export const AT = new Date('2026-03-01T12:00:30.000Z');
/** Seconds after `AT`. */
export const later = (seconds: number) => new Date(AT.getTime() + seconds * 1000);

/** A notice about something with a name. */
export function notice(kind: Notice['kind'], name: string, rest: Partial<Notice> = {}): Notice {
  return {
    kind,
    subjectId: `id_${name}`,
    subjectName: name,
    error: kind === 'monitor.down' ? 'responded with 503, expected 200' : null,
    downtime: kind === 'monitor.up' ? 45 : null,
    occurredAt: AT,
    ...rest,
  };
}

/** The email about notices, as it is queued and as it is sent. */
export function render(notices: Notice[], appUrl: string | null = 'https://pharos.test') {
  const content = composeNoticeMail(notices, { organizationName: 'Acme', appUrl });
  return { content, ...renderMail(mailContentSchema.parse(content), { serviceName: 'Pharos' }) };
}
