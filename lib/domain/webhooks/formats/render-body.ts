import { formatOf, type WebhookFormat } from '@/lib/webhook-formats/formats';
import { toAlert, toMessage, type WebhookEvent } from './message';

/**
 * The exact body for an endpoint's format, without credentials. Null where the payload itself is sent, and for templates, which are rendered
 * when a delivery is sent: they never hold up the change that the event is about.
 */
export function renderBody(name: WebhookFormat, event: WebhookEvent, appUrl: string | null): string | null {
  const format = formatOf(name);
  switch (format.reader) {
    case 'people':
      return JSON.stringify(format.render(toMessage(event, appUrl)));
    case 'alerts':
      return JSON.stringify(format.render(toAlert(event, appUrl)));
    case 'program':
      return null;
  }
}
