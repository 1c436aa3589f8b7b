import { readChosen } from '@/components/ui/form-state';
import { parseInput } from '@/lib/schemas/validation';
import { createWebhookSchema, type Webhook } from '@/lib/schemas/webhook';

type Values = Record<string, string>;

/** The form of a new endpoint as it opens: the schema's own defaults. */
export function initialValues(): Values {
  return { ...endpointValues(parseInput(createWebhookSchema, { url: 'https://any.invalid' })), url: '' };
}

/** The form of an endpoint as it is. */
export function endpointValues(
  endpoint: Pick<Webhook, 'url' | 'description' | 'events' | 'format' | 'enabled'>,
): Values {
  const { url, description, events, format, enabled } = endpoint;
  return { url, description, format, events: events.join(','), enabled: enabled ? 'on' : '' };
}

/** The sent form as a body of `POST /webhooks`, still to be parsed: the schema refuses what is wrong. */
export function readEndpointForm(form: FormData): Record<string, unknown> {
  return {
    url: String(form.get('url') ?? ''),
    description: String(form.get('description') ?? ''),
    format: String(form.get('format') ?? ''),
    events: readChosen(form, 'events', 50),
    enabled: form.has('enabled'),
  };
}
