import { z } from 'zod';
import { LANGUAGES } from '@/lib/schemas/language';

/** Lines of one import, without the header. */
export const MAX_IMPORTED_LINES = 5000;
/** Characters of one import: fits into a request with everything that JSON escapes. */
export const MAX_IMPORTED_LENGTH = 500_000;
/** Refused lines in a response; the rest is counted. */
export const MAX_REFUSED_LINES = 100;

/** The body of POST /status-pages/:slug/subscribers/import. */
export const importSubscribersSchema = z
  .strictObject({
    csv: z
      .string('must be a string')
      .trim()
      .min(1, 'must not be empty')
      .max(MAX_IMPORTED_LENGTH, `must be at most ${MAX_IMPORTED_LENGTH.toLocaleString('en')} characters`),
    language: z.enum(LANGUAGES, `must be one of ${LANGUAGES.join(', ')}`).default('en'),
  })
  .meta({ id: 'ImportSubscribers' });

const REFUSALS = [
  'invalid_csv',
  'invalid_email',
  'other_channel',
  'unknown_row',
  'too_many_rows',
  'asked_too_often',
  'too_many_waiting',
] as const;

const refusedLineSchema = z.strictObject({
  line: z.int().min(1).max(2_147_483_647),
  code: z.enum(REFUSALS),
  message: z.string(),
});

const count = z.int().min(0).max(MAX_IMPORTED_LINES);

/** What became of an import. */
export const subscriberImportSchema = z
  .strictObject({
    created: count,
    existing: count,
    invalid: count,
    refused: z.array(refusedLineSchema).max(MAX_REFUSED_LINES),
  })
  .meta({ id: 'SubscriberImport' });

/** A line that was not imported, and why, as a predicate: "has no valid email address". */
export type RefusedLine = z.output<typeof refusedLineSchema>;
export type ImportSubscribers = z.output<typeof importSubscribersSchema>;
export type SubscriberImport = z.output<typeof subscriberImportSchema>;
