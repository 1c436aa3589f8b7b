import { fill } from '@/lib/core/fill';
import type { MailBlock, MailContent, MailLine } from '@/lib/platform/mail/queue-mail';
import { oneLine } from '@/lib/platform/mail/queue-mail';
import { formatMoment } from './format-moment';
import { type PageWords, pageWords } from './page-texts';
import { NEWS_ORDER, type PageNotice, type Subject, sumUpPage } from './write-page-notices';

/** A list that is longer goes on with "and N more". */
const MAX_LINES = 50;
const MAX_TITLE = 120;
const MAX_NAME = 80;
const MAX_NAMES = 20;
const MAX_DETAIL = 400;

type Page = {
  name: string;
  /** Where the public reads the page, without a slash at the end. */
  address: string;
};

/**
 * The one mail that tells subscribers of a page of notices, in the order in which they were written; there has to be one.
 * `language` is the subscribers'; what people wrote stays as they wrote it. The link that ends a subscription is the
 * caller's to add.
 */
export function composePageMail(notices: PageNotice[], page: Page, language: string): MailContent {
  const words = pageWords(language);
  const { subject, footnote, unsubscribe } = words.texts;
  const subjects = sumUpPage(notices);
  const [only] = subjects;
  const name = oneLine(page.name, MAX_NAME);
  const told =
    only !== undefined && subjects.length === 1
      ? tellOne(only, page, words)
      : tellMany(subjects, page, words);
  return {
    ...told,
    language: words.language,
    subject: fill(subject, { page: name, news: told.subject }),
    footnote: fill(footnote, { page: name }),
    unsubscribeLabel: unsubscribe,
  };
}

function tellOne(subject: Subject, page: Page, words: PageWords): MailContent {
  return subject.isIncident ? tellIncident(subject, page, words) : tellWindow(subject, page, words);
}

function tellWindow(
  { kind, latest }: Subject & { isIncident: false },
  page: Page,
  words: PageWords,
): MailContent {
  const { texts } = words;
  const title = oneLine(latest.title, MAX_TITLE);
  // What was to be done is no news once it is not.
  const message = kind === 'maintenance.cancelled' ? '' : latest.message;
  return {
    subject: fill(texts.maintenance[kind], { title }),
    blocks: [
      { paragraph: describeSpan(kind, latest, words) },
      ...(message === '' ? [] : [{ paragraph: message }]),
      ...sayAffected(latest, words),
    ],
    button: { label: texts.openPage, url: page.address },
  };
}

function tellIncident({ latest, notices }: Subject, page: Page, words: PageWords): MailContent {
  const { texts } = words;
  const title = oneLine(latest.title, MAX_TITLE);
  const status = latest.status === null ? '' : texts.statusInText[latest.status];
  return {
    subject: fill(texts.incident, { title, status }),
    preheader: oneLine(latest.message, 200),
    blocks: [
      ...notices
        .toReversed()
        .flatMap(({ status: then, message, occurredAt }): MailBlock[] => [
          { heading: `${then === null ? '' : texts.status[then]}, ${formatMoment(occurredAt)}` },
          { paragraph: message },
        ]),
      ...sayAffected(latest, words),
    ],
    button: { label: texts.openIncident, url: incidentUrl(latest, page) },
  };
}

function tellMany(subjects: Subject[], page: Page, words: PageWords): MailContent {
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
    blocks: NEWS_ORDER.flatMap((kind) => {
      const own = subjects.filter((subject) => subject.kind === kind);
      return section(texts.headings[kind], own, page, words);
    }),
    button: { label: texts.openPage, url: page.address },
  };
}

function section(heading: string, subjects: Subject[], page: Page, words: PageWords): MailBlock[] {
  if (subjects.length === 0) return [];
  const lines = subjects.slice(0, MAX_LINES).map((subject): MailLine => {
    const { latest } = subject;
    const detail = subject.isIncident ? latest.message : describeSpan(subject.kind, latest, words);
    return {
      text: oneLine(latest.title, MAX_TITLE),
      detail: oneLine(detail, MAX_DETAIL),
      url: subject.isIncident ? incidentUrl(latest, page) : page.address,
    };
  });
  const left = subjects.length - lines.length;
  const more = left > 0 ? [{ text: fill(words.texts.more, { n: String(left) }) }] : [];
  return [{ heading: `${heading} (${subjects.length})` }, { list: [...lines, ...more] }];
}

function describeSpan(
  kind: keyof PageWords['texts']['span'],
  { startsAt, endsAt }: PageNotice,
  { texts }: PageWords,
): string {
  if (startsAt === null || endsAt === null) return '';
  return fill(texts.span[kind], { from: formatMoment(startsAt), to: formatMoment(endsAt) });
}

function sayAffected({ monitors }: PageNotice, { texts }: PageWords): MailBlock[] {
  if (monitors.length === 0) return [];
  const names = monitors.slice(0, MAX_NAMES).map((name) => oneLine(name, MAX_NAME));
  const left = monitors.length - names.length;
  const more = left > 0 ? ` ${fill(texts.more, { n: String(left) })}` : '';
  return [{ paragraph: fill(texts.affected, { names: `${names.join(', ')}${more}` }) }];
}

function incidentUrl({ subjectId }: PageNotice, { address }: Page): string {
  return `${address}/incidents/${subjectId}`;
}
