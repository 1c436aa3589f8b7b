import { capitalize, fill } from '@/lib/core/text';
import { formatMinute } from '@/lib/core/time/duration';
import { type MailBlock, type MailContent, type MailLine, oneLine } from '@/lib/platform/mail/queue-mail';
import { inLanguage } from '@/lib/schemas/incidents/in-language';
import { MAX_LINES, section } from './notice-mail';
import { type PageWords, pageWords } from './page-texts';
import {
  KIND_ORDER,
  type NoticeSubject,
  type PageNotice,
  type PageNoticeKind,
  summarizePageNotices,
} from './write-page-notices';

const MAX_TITLE = 120;
const MAX_NAME = 80;
const MAX_NAMES = 20;
const MAX_DETAIL = 400;

type Page = {
  name: string;
  /** The public URL of the page, without a trailing slash. */
  address: string;
};

/**
 * The email that notifies subscribers of a page of one or more notices, given in the order in which they were written.
 * `language` applies to our own texts, and to what people translated. The caller adds the unsubscribe link.
 */
export function composePageMail(notices: PageNotice[], page: Page, language: string): MailContent {
  const words = pageWords(language);
  const { subject, footnote, unsubscribe } = words.texts;
  const subjects = summarizePageNotices(notices.map((notice) => inLanguage(notice, words.language, notice)));
  const [only] = subjects;
  const name = oneLine(page.name, MAX_NAME);
  const mail =
    only !== undefined && subjects.length === 1
      ? composeSingle(only, page, words)
      : composeDigest(subjects, page, words);
  return {
    ...mail,
    language: words.language,
    subject: fill(subject, { page: name, summary: mail.subject }),
    footnote: fill(footnote, { page: name }),
    unsubscribeLabel: unsubscribe,
  };
}

/**
 * The same for a private page: only that there is something new. People may have subscribed while the page was public, and mailboxes
 * are read by others.
 */
export function composePrivatePageMail(page: Page, language: string): MailContent {
  const words = pageWords(language);
  const { subject, footnote, unsubscribe, openPage, privateSummary, privateText } = words.texts;
  const name = oneLine(page.name, MAX_NAME);
  return {
    language: words.language,
    subject: fill(subject, { page: name, summary: privateSummary }),
    blocks: [{ paragraph: fill(privateText, { page: name }) }],
    button: { label: openPage, url: page.address },
    footnote: fill(footnote, { page: name }),
    unsubscribeLabel: unsubscribe,
  };
}

function composeSingle(subject: NoticeSubject, page: Page, words: PageWords): MailContent {
  return subject.isIncident ? composeIncident(subject, page, words) : composeWindow(subject, page, words);
}

function composeWindow(
  { kind, latest }: NoticeSubject & { isIncident: false },
  page: Page,
  words: PageWords,
): MailContent {
  const { texts } = words;
  const title = oneLine(latest.title, MAX_TITLE);
  // The planned work is irrelevant once it is canceled.
  const message = kind === 'maintenance.cancelled' ? '' : latest.message;
  return {
    subject: fill(texts.maintenance[kind], { title }),
    blocks: [
      { paragraph: formatSpan(kind, latest, words) },
      ...(message === '' ? [] : [{ paragraph: message }]),
      ...listAffected(latest, words),
    ],
    button: { label: texts.openPage, url: page.address },
  };
}

function composeIncident({ latest, notices }: NoticeSubject, page: Page, words: PageWords): MailContent {
  const { texts } = words;
  const title = oneLine(latest.title, MAX_TITLE);
  const formatStatus = ({ status }: PageNotice) => (status === null ? '' : texts.status[status]);
  return {
    subject: fill(texts.incident, { title, status: formatStatus(latest) }),
    preheader: oneLine(latest.message, 200),
    blocks: [
      ...notices
        .toReversed()
        .flatMap((notice): MailBlock[] => [
          { heading: `${capitalize(formatStatus(notice))}, ${formatMinute(notice.occurredAt)}` },
          { paragraph: notice.message },
        ]),
      ...listAffected(latest, words),
    ],
    button: { label: texts.openIncident, url: incidentUrl(latest, page) },
  };
}

function composeDigest(subjects: NoticeSubject[], page: Page, words: PageWords): MailContent {
  const { texts, plural, list } = words;
  const incidents = subjects.filter(({ isIncident }) => isIncident).length;
  const windows = subjects.length - incidents;
  const things = list([
    ...(incidents > 0 ? [plural(texts.incidents, incidents)] : []),
    ...(windows > 0 ? [plural(texts.windows, windows)] : []),
  ]);
  return {
    subject: fill(texts.several, { things }),
    preheader: subjects
      .slice(0, MAX_LINES)
      .map(({ latest }) => oneLine(latest.title, MAX_TITLE))
      .join(', '),
    blocks: KIND_ORDER.flatMap((kind) => {
      const own = subjects.filter((subject) => subject.kind === kind);
      const formatMore = (left: number) => fill(texts.more, { n: String(left) });
      return section(texts.headings[kind], own, (subject) => toLine(subject, page, words), formatMore);
    }),
    button: { label: texts.openPage, url: page.address },
  };
}

function toLine({ kind, isIncident, latest }: NoticeSubject, page: Page, words: PageWords): MailLine {
  const detail = isIncident ? latest.message : formatSpan(kind, latest, words);
  return {
    text: oneLine(latest.title, MAX_TITLE),
    detail: oneLine(detail, MAX_DETAIL),
    url: isIncident ? incidentUrl(latest, page) : page.address,
  };
}

function formatSpan(kind: PageNoticeKind, { startsAt, endsAt }: PageNotice, { texts }: PageWords): string {
  if (startsAt === null || endsAt === null) return '';
  const { span, spanIfMoved, spanIfCanceled } = texts;
  const changed: Record<string, string> = {
    'maintenance.moved': spanIfMoved,
    'maintenance.cancelled': spanIfCanceled,
  };
  const text = changed[kind] ?? span;
  return fill(text, { from: formatMinute(startsAt), to: formatMinute(endsAt) });
}

function listAffected({ monitors }: PageNotice, { texts }: PageWords): MailBlock[] {
  if (monitors.length === 0) return [];
  const names = monitors.slice(0, MAX_NAMES).map((name) => oneLine(name, MAX_NAME));
  const left = monitors.length - names.length;
  const more = left > 0 ? ` ${fill(texts.more, { n: String(left) })}` : '';
  return [{ paragraph: fill(texts.affected, { names: `${names.join(', ')}${more}` }) }];
}

function incidentUrl({ subjectId }: PageNotice, { address }: Page): string {
  return `${address}/incidents/${subjectId}`;
}
