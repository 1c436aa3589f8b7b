import { z } from 'zod';
import { emailAddress } from '@/lib/schemas/email-address';
import { lenient, pageQuery, parseCursor, placeOnScreen } from '@/lib/schemas/query';
import { instantSchema } from '@/lib/schemas/text';

export const SUBSCRIBER_STATUSES = ['confirmed', 'pending'] as const;

/** The subscription form of a public page; other fields, such as those added by browser extensions, are ignored. */
export const subscribeSchema = z.object({ email: emailAddress });

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
    id: z.string().regex(/^sub_/),
    email: z.string(),
    language: z.string(),
    confirmedAt: instantSchema
      .nullable()
      .meta({ description: 'null: not confirmed yet; deleted after 7 days' }),
    createdAt: instantSchema,
  })
  .meta({ id: 'Subscriber' });

export type Subscriber = z.output<typeof subscriberSchema>;
export type SubscribersQuery = z.output<typeof subscribersQuerySchema>;
export type SubscriberStatus = (typeof SUBSCRIBER_STATUSES)[number];
