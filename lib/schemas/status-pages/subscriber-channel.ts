import { z } from 'zod';
import { parseHttpUrl } from '@/lib/core/addresses';

/** How a subscriber is notified: by email, or at a URL. */
export const SUBSCRIBER_CHANNELS = ['email', 'webhook', 'slack'] as const;
export type SubscriberChannel = (typeof SUBSCRIBER_CHANNELS)[number];
export type EndpointChannel = Exclude<SubscriberChannel, 'email'>;

const SLACK_HOST = 'hooks.slack.com';

/** The channel in a form; email if there is none. */
export const channelSchema = z.enum(SUBSCRIBER_CHANNELS).catch('email');

const url = z
  .string()
  .trim()
  .max(2048)
  .refine((text) => parseHttpUrl(text) !== null)
  .transform((text) => {
    const parsed = new URL(text);
    parsed.hash = '';
    return parsed.href;
  });

/** The URL of an endpoint in a form: of Slack only its incoming webhooks, and these only as Slack. */
export const endpointUrlSchemas: Record<EndpointChannel, z.ZodType<string>> = {
  webhook: url.refine((href) => new URL(href).hostname !== SLACK_HOST),
  slack: url.refine((href) => {
    const { protocol, host, pathname } = new URL(href);
    return protocol === 'https:' && host === SLACK_HOST && pathname.startsWith('/services/');
  }),
};
