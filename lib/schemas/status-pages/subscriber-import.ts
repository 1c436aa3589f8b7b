import { z } from 'zod';
import { described } from '@/lib/schemas/described';
import { LANGUAGES } from '@/lib/schemas/language';
import { nameText } from '@/lib/schemas/text';

/** Lines of one import, without the header. */
export const MAX_IMPORTED_LINES = 5000;
/** Characters of one import: fits into a request with everything that JSON escapes. */
export const MAX_IMPORTED_LENGTH = 500_000;
/** Addresses of one page that are declared as confirmed within 24 hours. */
export const MAX_DECLARED = 10_000;
/** Refused lines in a response; the rest is counted. */
export const MAX_REFUSED_LINES = 100;

/** The body of POST /status-pages/:slug/subscribers/import. */
export const importSubscribersSchema = z
  .strictObject({
    csv: described(
      z
        .string('must be a string')
        .trim()
        .min(1, 'must not be empty')
        .max(MAX_IMPORTED_LENGTH, `must be at most ${MAX_IMPORTED_LENGTH.toLocaleString('en')} characters`),
      'Addresses, one per line, or CSV with the columns email, rows and language; at most 5,000 lines',
      'email,rows\nada@example.com,Checkout API\ngrace@example.com,',
    ),
    language: z
      .enum(LANGUAGES, `must be one of ${LANGUAGES.join(', ')}`)
      .default('en')
      .describe('The language of addresses whose line has none'),
    confirmed: z
      .boolean('must be true or false')
      .default(false)
      .describe(
        'You declare that every address of the list confirmed its subscription to this page elsewhere: it is subscribed without a confirmation email. Requires the admin role or a key with the scope write',
      ),
    source: described(
      nameText(1, 100).optional(),
      'Where they confirmed it, for the audit log. Required if confirmed is true, and only then permitted',
      'Statuspage',
    ),
  })
  .superRefine(({ confirmed, source }, issues) => {
    if (confirmed === (source !== undefined)) return;
    const message = confirmed ? 'is required if confirmed is true' : 'is permitted only if confirmed is true';
    issues.addIssue({ code: 'custom', path: ['source'], message });
  })
  .meta({ id: 'ImportSubscribers' });

const REFUSALS = [
  'invalid_csv',
  'invalid_email',
  'other_channel',
  'unknown_language',
  'unknown_row',
  'too_many_rows',
  'asked_too_often',
  'too_many_waiting',
  'unsubscribed',
  'too_many_confirmed',
] as const;

const refusedLineSchema = z.strictObject({
  line: described(z.int().min(1).max(2_147_483_647), 'The line of the list, counted from 1', 3),
  code: described(z.enum(REFUSALS), 'Why it was refused, for programs', 'invalid_email'),
  message: described(z.string(), 'Why it was refused', 'has no valid email address'),
});

const count = z.int().min(0).max(MAX_IMPORTED_LINES);

/** What became of an import. */
export const subscriberImportSchema = z
  .strictObject({
    created: described(
      count,
      'How many addresses are new; each is emailed a confirmation link, unless confirmed is true',
      2,
    ),
    existing: described(count, 'How many were there already, or twice in the list', 0),
    confirmed: described(
      count,
      'How many addresses, new or existing, became confirmed; 0 unless confirmed is true',
      0,
    ),
    invalid: described(count, 'How many lines were refused', 1),
    refused: z.array(refusedLineSchema).max(MAX_REFUSED_LINES).describe('The first 100 refused lines'),
  })
  .meta({ id: 'SubscriberImport' });

/** A line that was not imported, and why, as a predicate: "has no valid email address". */
export type RefusedLine = z.output<typeof refusedLineSchema>;
export type ImportSubscribers = z.output<typeof importSubscribersSchema>;
export type SubscriberImport = z.output<typeof subscriberImportSchema>;
