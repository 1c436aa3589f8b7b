import { formatOf, hasTemplate, type WebhookFormat } from '../formats';

/** What a new endpoint with a format and a URL has to have. */
export function exampleOf(format: WebhookFormat) {
  const { account } = formatOf(format);
  const required = account === undefined || account.without ? {} : account.credentials;
  const credentials = Object.fromEntries(
    Object.entries(required).map(([name, { example }]) => [name, example]),
  );
  return { format, credentials, template: hasTemplate(format) ? '{{ event | json }}' : null };
}
