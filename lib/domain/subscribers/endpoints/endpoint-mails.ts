import { fill } from '@/lib/core/text';
import { pageWords } from '@/lib/domain/notices/page-texts';
import { type MailContent, oneLine, unlinked } from '@/lib/platform/mail/queue-mail';

type About = {
  pageName: string;
  host: string;
  /** Where the subscription is managed. */
  url: string;
  language: string;
};

/** The email to the owner of an endpoint that it is notified from now on, with the link to manage it. */
export function composeStarted(about: About): MailContent {
  return compose('started', about);
}

/** The email to the owner of an endpoint that it was stopped, because it kept failing. */
export function composeStopped(about: About): MailContent {
  return compose('stopped', about);
}

function compose(kind: 'started' | 'stopped', { pageName, host, url, language }: About): MailContent {
  const words = pageWords(language);
  const { [kind]: own, manage } = words.texts.endpoint;
  const values = { page: unlinked(oneLine(pageName, 80)), host: unlinked(oneLine(host, 80)) };
  return {
    language: words.language,
    subject: fill(own.subject, values),
    blocks: [{ paragraph: fill(own.text, values) }],
    button: { label: manage, url },
  };
}
