import type { Services } from '@/lib/domain/context/services';
import { openCredentials, openHeaders } from '@/lib/domain/webhooks/credentials';
import { addressRequest, hideSecrets } from '@/lib/domain/webhooks/formats/address-request';
import { type DeliveryOutcome, type Sender, sendDelivery } from '@/lib/domain/webhooks/send-delivery';
import { deliveryHeaders, openSigningSecrets, type SigningSecrets } from '@/lib/domain/webhooks/sign';
import { type Rendered, renderTemplate } from '@/lib/domain/webhooks/templates/render-template';
import { hideHeaders, hideUrl, listHiddenHeaders } from '@/lib/schemas/hidden';
import type { Credentials } from '@/lib/schemas/webhooks/credentials';
import { testPayloadSchema } from '@/lib/schemas/webhooks/delivery';
import type { ClaimedDelivery, ClaimedEndpoint } from './claim-deliveries';
import { nothingSent } from './record-attempts';

type Needs = { services: Services; sender: Sender; serviceName: string };

/**
 * Sends a delivery as its endpoint is now: credentials are added here, and the body is signed with them. The outcome does not
 * contain them. A delivery that cannot be signed fails like one that is rejected: it is retried on schedule. Never throws.
 */
export async function sendClaimed(
  { services: { keyring }, sender, serviceName }: Needs,
  delivery: ClaimedDelivery,
  endpoint: ClaimedEndpoint,
  sentAt: Date,
): Promise<DeliveryOutcome> {
  const { id: deliveryId, eventId, attempt, kind, payload, event, occurredAt, endpointId } = delivery;
  let secrets: SigningSecrets;
  let credentials: Credentials;
  let own: Record<string, string>;
  try {
    secrets = openSigningSecrets(keyring, endpointId, endpoint, sentAt);
  } catch {
    return nothingSent('the signing secret cannot be decrypted; rotate the secret');
  }
  try {
    credentials = openCredentials(keyring, endpointId, endpoint.credentialsSealed);
    own = openHeaders(keyring, endpointId, endpoint.headersSealed);
  } catch {
    return nothingSent('the credentials cannot be decrypted; set them again');
  }
  const { format, url } = endpoint;
  const rendered = delivery.rendersBody ? renderStored(endpoint.template, event) : null;
  if (rendered?.text === null) return nothingSent(`the template ${rendered.problem}`);
  const body = rendered?.text ?? payload;
  const { sent, shown } = addressRequest({ format, url, body, event }, credentials);
  const about = { eventId, deliveryId, attempt, kind, payload: sent.body, occurredAt, sentAt };
  const headers = deliveryHeaders({ ...about, secrets, serviceName });
  const posted = {
    endpointId,
    url: sent.url,
    headers: withOwn(headers, { ...sent.headers, ...own }),
    payload: sent.body,
  };
  const outcome = await sendDelivery(sender, posted);
  return {
    ...hideSecrets(outcome, { ...credentials, ...secretHeaders(own) }),
    request: outcome.request && {
      url: shown.url,
      headers: withOwn(headers, { ...shown.headers, ...hideHeaders(own) }),
    },
    ...(rendered?.text == null ? {} : { renderedBody: rendered.text }),
  };
}

/** What the template of an endpoint writes for a stored event. The URL of a test can be secret. */
function renderStored(template: string | null, event: string): Rendered {
  if (template === null)
    return { text: null, problem: 'was removed when the format of the endpoint changed' };
  const payload: unknown = JSON.parse(event);
  const { data: test } = testPayloadSchema.safeParse(payload);
  if (test === undefined) return renderTemplate(template, Object(payload));
  return renderTemplate(template, { ...test, webhook: { ...test.webhook, url: hideUrl(test.webhook.url) } });
}

/** Headers with those of an endpoint, which replace others of the same name in any case. */
function withOwn(headers: Record<string, string>, own: Record<string, string>): Record<string, string> {
  const names = new Set(Object.keys(own).map((name) => name.toLowerCase()));
  const kept = Object.entries(headers).filter(([name]) => !names.has(name.toLowerCase()));
  return { ...Object.fromEntries(kept), ...own };
}

function secretHeaders(headers: Record<string, string>): Record<string, string> {
  const hidden = listHiddenHeaders(hideHeaders(headers));
  return Object.fromEntries(Object.entries(headers).filter(([name]) => hidden.includes(name)));
}
