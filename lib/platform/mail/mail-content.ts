import { z } from 'zod';
import { storableText } from '@/lib/core/storable-text';
import { LANGUAGES } from '@/lib/schemas/language';
import { oneLine } from './one-line';

/** With its line breaks, as people wrote it. */
const paragraph = z.string().transform((text) => storableText(text));
const line = (length: number) => z.string().transform((text) => oneLine(text, length));
const webUrl = z.url({ protocol: /^https?$/ });

const lineSchema = z.strictObject({
  text: line(200),
  /** Follows the text, set back. */
  detail: line(500).optional(),
  url: webUrl.optional(),
});

/** What a mail says. Texts are plain; `renderMail` escapes them. Paragraphs keep their line breaks, all else is one line. */
export const mailContentSchema = z.strictObject({
  /** Of all that is said; English where it is left out. */
  language: z.enum(LANGUAGES).optional(),
  subject: line(200),
  /** What a list of mails shows beside the subject. */
  preheader: line(200).optional(),
  blocks: z.array(
    z.union([
      z.strictObject({ paragraph }),
      z.strictObject({ heading: line(200) }),
      z.strictObject({ list: z.array(lineSchema) }),
    ]),
  ),
  button: z.strictObject({ label: line(80), url: webUrl }).optional(),
  /** Why the reader gets this mail. */
  footnote: paragraph.optional(),
  /** Where the reader ends a subscription: a page for a visit, and the end of it for an RFC 8058 POST. */
  unsubscribeUrl: webUrl.optional(),
  /** What that is called; `Unsubscribe` where it is left out. */
  unsubscribeLabel: line(80).optional(),
});

export type MailContent = z.output<typeof mailContentSchema>;
export type MailBlock = MailContent['blocks'][number];
export type MailLine = z.output<typeof lineSchema>;
