import { composePageMail, composePrivatePageMail } from '@/lib/domain/notices/page-notice-mail';
import type { PageNotice, PageNoticeKind } from '@/lib/domain/notices/write-page-notices';
import type { MailContent } from '@/lib/platform/mail/queue-mail';
import { FORMATS } from '@/lib/webhook-formats/formats';
import type { Tone } from '@/lib/webhook-formats/message';

type Page = {
  id: string;
  name: string;
  /** The public URL of the page, without a trailing slash. */
  address: string;
};

/** Of a private page: that there is something new. */
export const PRIVATE_KIND = 'page.updated';

/** An event for endpoints of subscribers. */
export type PageEvent = {
  id: string;
  kind: PageNoticeKind | typeof PRIVATE_KIND;
  occurredAt: Date;
  /** Null for a private page. */
  notice: PageNotice | null;
};

/** The payload for a webhook: what the email about it contains. Of a private page only its name and URL. */
export function renderPayload({ id, kind, occurredAt, notice }: PageEvent, page: Page): string {
  return JSON.stringify({
    id,
    event: kind,
    timestamp: occurredAt.toISOString(),
    page: { id: page.id, name: page.name, url: page.address },
    ...(notice === null ? {} : renderSubject(notice, page)),
  });
}

function renderSubject(notice: PageNotice, { address }: Page) {
  const { subjectId: id, title, message, status, monitors, rowIds, startsAt, endsAt } = notice;
  const affected = monitors.map((name, place) => ({ id: rowIds[place] ?? null, name }));
  if (status !== null) {
    return { incident: { id, title, status, message, url: `${address}/incidents/${id}`, affected } };
  }
  const span = { startsAt: startsAt?.toISOString() ?? null, endsAt: endsAt?.toISOString() ?? null };
  return { maintenance: { id, title, message, ...span, affected } };
}

const TONES: Partial<Record<PageEvent['kind'], Tone>> = {
  'incident.created': 'bad',
  'incident.updated': 'slow',
  'incident.resolved': 'good',
};

/** The body for a Slack incoming webhook, with the texts of the email about it in one of its languages. */
export function renderSlackBody(
  { kind, occurredAt, notice }: PageEvent,
  page: Page,
  language: string,
): string {
  const mail =
    notice === null ? composePrivatePageMail(page, language) : composePageMail([notice], page, language);
  return JSON.stringify(
    FORMATS.slack.render({
      tone: TONES[kind] ?? 'neutral',
      urgency: 'none',
      title: mail.subject,
      text: textOf(mail),
      facts: [],
      link: mail.button ?? { label: page.name, url: page.address },
      at: occurredAt,
    }),
  );
}

function textOf({ blocks }: MailContent): string {
  return blocks
    .flatMap((block) => ('paragraph' in block ? block.paragraph : 'heading' in block ? block.heading : []))
    .filter((text) => text !== '')
    .join('\n');
}
