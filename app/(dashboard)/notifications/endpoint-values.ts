import type { FormatChoice } from '@/components/notifications/endpoint-form';
import { readChosen, readText } from '@/components/ui/forms/form-state';
import { parseJson } from '@/lib/core/parse-json';
import { parseInput } from '@/lib/schemas/validation';
import { credentialsOf, defaultUrl } from '@/lib/schemas/webhooks/credentials';
import { createWebhookSchema, defaultEvents, type Webhook } from '@/lib/schemas/webhooks/webhook';
import {
  DEFAULT_FORMAT,
  formatOf,
  hasTemplate,
  isReadByPeople,
  verifiesSignatures,
  WEBHOOK_FORMATS,
  type WebhookFormat,
} from '@/lib/webhook-formats/formats';

type Values = Record<string, string>;

/** Initial form values of a new endpoint: the schema's defaults, and the events that are usual for its format. */
export function initialValues(format: WebhookFormat = DEFAULT_FORMAT): Values {
  const defaults = endpointValues(parseInput(createWebhookSchema, { url: 'https://any.invalid' }));
  return { ...defaults, format, events: defaultEvents(format).join(','), url: '' };
}

/** The formats that a form offers. */
export const formatChoices = (): FormatChoice[] => WEBHOOK_FORMATS.map(formatChoice);

const SECRET_URL = 'Keep it secret: anyone who knows it can post there.';
const ANY_URL = 'Receives a POST request for every event. Use HTTPS.';

/** A format as data for a form: its code stays on the server. */
export function formatChoice(value: WebhookFormat): FormatChoice {
  const { label, hint, account, mark, steps } = formatOf(value);
  const ownUrl = defaultUrl(value);
  return {
    value,
    label,
    hint,
    mark,
    steps,
    url: {
      isRequired: account === undefined,
      isUsual: account === undefined || account.without !== undefined,
      placeholder: ownUrl ?? 'https://example.com/hooks/pharos',
      hint:
        account?.without?.hint ??
        (ownUrl ? `Leave empty for ${ownUrl}.` : isReadByPeople(value) ? SECRET_URL : ANY_URL),
    },
    credentials: credentialsOf(value).map(({ name, label, hint, isRequired }) => {
      return { name, label, hint, isRequired };
    }),
    hasTemplate: hasTemplate(value),
    verifiesSignatures: verifiesSignatures(value),
    hasAcknowledgeLinks: isReadByPeople(value),
  };
}

/** Form values of an existing endpoint. */
export function endpointValues(
  endpoint: Pick<
    Webhook,
    | 'url'
    | 'description'
    | 'events'
    | 'rules'
    | 'format'
    | 'enabled'
    | 'credentials'
    | 'headers'
    | 'template'
    | 'acknowledgeLinks'
  >,
): Values {
  const { url, description, events, rules, format, enabled, credentials, headers, template } = endpoint;
  const { acknowledgeLinks } = endpoint;
  return {
    url: url === defaultUrl(format, credentials) ? '' : url,
    description,
    format,
    events: events.join(','),
    rules: JSON.stringify(rules),
    enabled: enabled ? 'on' : '',
    acknowledgeLinks: acknowledgeLinks ? 'on' : '',
    headers: Object.entries(headers)
      .map(([name, value]) => `${name}: ${value}`)
      .join('\n'),
    template: template ?? '',
    ...Object.fromEntries(Object.entries(credentials).map(([name, value]) => [`credentials.${name}`, value])),
  };
}

/** The submitted form as an unvalidated body of `POST /webhooks`. */
export function readEndpointForm(form: FormData): Record<string, unknown> {
  const format = String(form.get('format') ?? '');
  const fields = credentialsOf(format).map(({ name }) => [
    name,
    String(form.get(`credentials.${name}`) ?? ''),
  ]);
  const credentials = Object.fromEntries(fields.filter(([, value]) => value !== ''));
  return {
    url: String(form.get('url') ?? '') || (defaultUrl(format, credentials) === null ? '' : null),
    description: String(form.get('description') ?? ''),
    format,
    credentials,
    headers: hasTemplate(format) ? readHeaders(readText(form, 'headers')) : {},
    template: hasTemplate(format) ? readText(form, 'template') || null : null,
    events: readChosen(form, 'events', 50),
    rules: parseJson(readText(form, 'rules') || '[]'),
    // The form asks only where people read messages; otherwise it keeps what is stored.
    ...(isReadByPeople(format) ? { acknowledgeLinks: form.has('acknowledgeLinks') } : {}),
    enabled: form.has('enabled'),
  };
}

/** The headers of lines such as `Authorization: Bearer …`; a line without a colon is a name that is not valid. */
function readHeaders(text: string): Record<string, string> {
  const lines = text.split('\n', 51).filter((line) => line.trim() !== '');
  return Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return colon < 0 ? [line.trim(), ''] : [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
    }),
  );
}
