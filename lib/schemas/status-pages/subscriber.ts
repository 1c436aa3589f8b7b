import { z } from 'zod';
import { parseCursor } from '@/lib/schemas/cursor';
import { described } from '@/lib/schemas/described';
import { emailAddress } from '@/lib/schemas/email-address';
import { lenient, pageQuery, placeOnScreen } from '@/lib/schemas/query';
import { createdAtSchema, instantSchema } from '@/lib/schemas/text';
import { SUBSCRIBER_CHANNELS } from './subscriber-channel';

export const SUBSCRIBER_STATUSES = ['confirmed', 'pending'] as const;
/** Rows of a page that one subscriber can choose. Fits into the limit of form fields. */
export const MAX_CHOSEN_ROWS = 100;

/** The subscription form of a public page; other fields, such as those added by browser extensions, are ignored. */
export const subscribeSchema = z.object({ email: emailAddress });

/** The rows of a page that a subscriber is notified of, by the ID of the monitor or component; null: all. */
export type ChosenRows = readonly string[] | null;

/** Why a choice of rows was rejected. */
export type RowsProblem = 'noRows' | 'tooManyRows';

/**
 * The choice of rows in a form: `before` if the form did not offer one. Rows that are not `known` are ignored: they have left the page
 * since the form was shown.
 */
export function parseChosenRows(
  form: URLSearchParams,
  { known, before }: { known: ReadonlySet<string>; before: ChosenRows },
): { rows: ChosenRows; problem: RowsProblem | null } {
  const scope = form.get('scope');
  if (scope === null) return { rows: before, problem: null };
  if (scope !== 'rows') return { rows: null, problem: null };
  const rows = [...new Set(form.getAll('row'))].filter((id) => known.has(id));
  if (rows.length === 0) return { rows, problem: 'noRows' };
  return { rows, problem: rows.length > MAX_CHOSEN_ROWS ? 'tooManyRows' : null };
}

/** The query of GET /status-pages/:slug/subscribers. */
export const subscribersQuerySchema = z.strictObject({
  status: z
    .enum(SUBSCRIBER_STATUSES, `must be one of ${SUBSCRIBER_STATUSES.join(', ')}`)
    .optional()
    .meta({ description: 'pending: not confirmed yet' }),
  ...pageQuery,
});

/** The query of GET /status-pages/:slug/subscribers/export. */
export const subscriberExportSchema = subscribersQuerySchema.pick({ status: true });

/** The query of the subscribers screen. Invalid values are ignored. */
export const subscriberListSchema = z.object({
  status: lenient(z.enum(SUBSCRIBER_STATUSES)),
  after: placeOnScreen(parseCursor),
});

/** A subscriber of a public page as the API returns it. */
export const subscriberSchema = z
  .strictObject({
    id: described(z.string().regex(/^sub_/), 'The ID of the subscriber', 'sub_01kxk23k2n5q8t1w4y7b0d3f6g'),
    channel: described(z.enum(SUBSCRIBER_CHANNELS), 'How they are notified', 'email'),
    email: described(z.string(), 'The address; of a webhook or Slack, that of its owner', 'ada@example.com'),
    host: described(z.string().nullable(), 'The host of a webhook or Slack; null for email', null),
    language: described(z.string(), 'The language of emails', 'en'),
    rows: described(
      z.array(z.string()),
      'What they chose to be notified about: IDs of monitors and components of the page; empty for everything',
      ['mon_01kxk1j7c2e5x8q3n6w4r9t0zb'],
    ),
    confirmedAt: instantSchema
      .nullable()
      .meta({ description: 'null: not confirmed yet; deleted after 7 days' }),
    stoppedAt: described(
      instantSchema.nullable(),
      'When a webhook or Slack was stopped, because it kept failing; null while it works',
      null,
    ),
    createdAt: createdAtSchema,
  })
  .meta({ id: 'Subscriber' });

export type Subscriber = z.output<typeof subscriberSchema>;
export type SubscribersQuery = z.output<typeof subscribersQuerySchema>;
export type SubscriberStatus = (typeof SUBSCRIBER_STATUSES)[number];
