import { type MailContent, oneLine } from '@/lib/platform/mail/queue-mail';
import type { PushContent } from '@/lib/schemas/push';

/** Systems show a line or two. Encrypted, with the link that acknowledges, this fits into the 4 KB of a push message. */
const MAX_TITLE = 120;
const MAX_BODY = 300;

/** What an alert says in a browser, from its email whose links are paths. */
export function toPush({
  subject,
  preheader,
  blocks,
  button,
}: MailContent): Pick<PushContent, 'title' | 'body' | 'path'> {
  const [first] = blocks;
  const text = preheader ?? (first && 'paragraph' in first ? first.paragraph : '');
  return {
    title: oneLine(subject, MAX_TITLE),
    body: oneLine(text, MAX_BODY),
    path: button?.url ?? '/monitors',
  };
}
