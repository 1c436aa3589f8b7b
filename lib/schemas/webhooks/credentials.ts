import { z } from 'zod';
import { storable } from '@/lib/schemas/text';

const MAX_CREDENTIAL = 200;

/** What a product calls one of its credentials. `form` is checked by products that name it. */
type Credential = { isRequired: boolean; form?: { pattern: RegExp; message: string } };
type Product = {
  url: string;
  credentials: Record<string, Credential>;
  /** It takes messages without credentials, too, at another address. All of them are required with one of them. */
  isOptional?: boolean;
};

/** The products that identify the sender by credentials: their own address, and what they require. */
const PRODUCTS = {
  slack: {
    url: 'https://slack.com/api',
    isOptional: true,
    credentials: {
      token: {
        isRequired: true,
        form: {
          pattern: /^(xoxe\.)?xoxb-[\w-]+$/,
          message: 'must be the token of a bot, which begins with xoxb-',
        },
      },
      channel: {
        isRequired: true,
        form: { pattern: /^#?[\w.-]{1,80}$/, message: 'must be the name or the ID of a channel' },
      },
    },
  },
  pagerduty: {
    url: 'https://events.pagerduty.com/v2/enqueue',
    credentials: { routingKey: { isRequired: true } },
  },
  opsgenie: {
    url: 'https://api.opsgenie.com/v2/alerts',
    credentials: { apiKey: { isRequired: true } },
  },
  ntfy: {
    url: 'https://ntfy.sh',
    credentials: {
      topic: {
        isRequired: true,
        form: {
          pattern: /^[\w-]{1,64}$/,
          message: 'must be 1 to 64 letters, digits, hyphens or underscores',
        },
      },
      token: { isRequired: false },
    },
  },
  telegram: {
    url: 'https://api.telegram.org',
    credentials: {
      // It is part of the URL.
      token: {
        isRequired: true,
        form: { pattern: /^\d+:[\w-]+$/, message: 'must be a token of a bot, such as 123456:ABC-DEF' },
      },
      chatId: {
        isRequired: true,
        form: { pattern: /^(-?\d+|@\w+)$/, message: 'must be a number or @ and the name of a channel' },
      },
    },
  },
  pushover: {
    url: 'https://api.pushover.net/1/messages.json',
    credentials: { token: { isRequired: true }, user: { isRequired: true } },
  },
} as const satisfies Record<string, Product>;

export const CREDENTIAL_NAMES = [
  'routingKey',
  'apiKey',
  'topic',
  'token',
  'channel',
  'chatId',
  'user',
] as const;
export type CredentialName = (typeof CREDENTIAL_NAMES)[number];
export type Credentials = Partial<Record<CredentialName, string>>;

const credential = storable(z.string('must be a string').trim().min(1, 'must not be empty'))
  .max(MAX_CREDENTIAL, { error: `must be at most ${MAX_CREDENTIAL} characters`, abort: true })
  .regex(/^[\x21-\x7e]*$/, 'must be ASCII without spaces');

/** The credentials of an endpoint as they are sent. */
export const credentialsSchema = z
  .strictObject(namedBy(() => credential.optional()))
  .describe(
    'What the product identifies you by: `routingKey` for PagerDuty, `apiKey` for Opsgenie, `topic` and an optional `token` for ntfy, `token` and `channel` for Slack instead of the URL of an incoming webhook, `token` and `chatId` for Telegram, `token` and `user` for Pushover. Returned as `[hidden]`, which keeps the stored value when sent back',
  );

/** The same as they are returned: only their names. */
export const hiddenCredentialsSchema = z
  .strictObject(namedBy(() => z.string().optional()))
  .describe('`[hidden]` for each credential that is set')
  .meta({ id: 'WebhookCredentials' });

function namedBy<Schema extends z.ZodType>(create: () => Schema) {
  return Object.fromEntries(CREDENTIAL_NAMES.map((name) => [name, create()])) as Record<
    CredentialName,
    Schema
  >;
}

function productOf(format: string): Product | null {
  return Object.entries(PRODUCTS).find(([name]) => name === format)?.[1] ?? null;
}

/** Whether a product takes messages without its credentials, too. */
export const areCredentialsOptional = (format: string): boolean => productOf(format)?.isOptional ?? false;

/** The address that an endpoint with a format has unless another is given; null if it must be given. */
export function defaultUrl(format: string, credentials: object = {}): string | null {
  const product = productOf(format);
  if (product === null) return null;
  return product.isOptional && Object.keys(credentials).length === 0 ? null : product.url;
}

/** The credentials that a format has, and whether they are required. */
export function credentialsOf(format: string): { name: CredentialName; isRequired: boolean }[] {
  const { credentials: known = {}, isOptional = false } = productOf(format) ?? {};
  return CREDENTIAL_NAMES.flatMap((name) => {
    const found = known[name];
    return found ? [{ name, isRequired: found.isRequired && !isOptional }] : [];
  });
}

/** The fields of an endpoint that depend on each other. A URL that is null stands for the address of the product. */
export type FormatFields = {
  format: string;
  url: string | null;
  credentials: Credentials;
  headers: Record<string, string>;
  template: string | null;
};

/** What does not fit the format of an endpoint. */
export function findFormatConflicts({ format, url, credentials, headers, template }: FormatFields) {
  const isCustom = format === 'custom';
  const foreign = `does not belong to the format ${format}`;
  const product = productOf(format);
  const known = product?.credentials ?? {};
  const isWithout = areCredentialsOptional(format) && Object.keys(credentials).length === 0;
  const missing = Object.entries(known).filter(
    ([name, { isRequired }]) => isRequired && !isWithout && !Object.hasOwn(credentials, name),
  );
  const given = Object.entries(credentials).filter(([, value]) => value !== undefined);
  return [
    ...(url === null && defaultUrl(format, credentials) === null ? [{ path: 'url', message: REQUIRED }] : []),
    ...(format === 'slack' ? findSlackConflicts(url, isWithout) : []),
    ...(isCustom && template === null ? [{ path: 'template', message: REQUIRED }] : []),
    ...(!isCustom && template !== null ? [{ path: 'template', message: foreign }] : []),
    ...(!isCustom && Object.keys(headers).length > 0 ? [{ path: 'headers', message: foreign }] : []),
    ...Object.keys(headers)
      .filter((name) => OWN_HEADER.test(name))
      .map((name) => ({ path: `headers.${name}`, message: 'is set by the service' })),
    ...missing.map(([name]) => ({ path: `credentials.${name}`, message: REQUIRED })),
    ...given.flatMap(([name, value]) => {
      const { form } = known[name] ?? {};
      const path = `credentials.${name}`;
      if (!Object.hasOwn(known, name)) return [{ path, message: foreign }];
      return form && !form.pattern.test(value) ? [{ path, message: form.message }] : [];
    }),
  ];
}

/** Slack has one address for incoming webhooks, and another one for bots. */
function findSlackConflicts(url: string | null, isWebhook: boolean) {
  if (url === null) return [];
  if (isWebhook && url === PRODUCTS.slack.url)
    return [{ path: 'url', message: 'must be that of an incoming webhook' }];
  const isHook = new URL(url).hostname === 'hooks.slack.com';
  const message = 'must be empty with the token of a bot, not that of an incoming webhook';
  return !isWebhook && isHook ? [{ path: 'url', message }] : [];
}

/** What receivers verify a delivery by. */
const OWN_HEADER = /^(x-service-|webhook-)/i;
const REQUIRED = 'is required with this format';
