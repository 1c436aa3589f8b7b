import type { Services } from '@/lib/domain/context/services';
import { openCredentials } from '@/lib/domain/webhooks/credentials';
import { addressRequest, hideSecrets } from '@/lib/domain/webhooks/formats/address-request';
import { type DeliveryOutcome, type Sender, sendDelivery } from '@/lib/domain/webhooks/send-delivery';
import { deliveryHeaders, openSigningSecrets, type SigningSecrets } from '@/lib/domain/webhooks/sign';
import type { Credentials } from '@/lib/schemas/webhooks/credentials';
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
  try {
    secrets = openSigningSecrets(keyring, endpointId, endpoint, sentAt);
  } catch {
    return nothingSent('the signing secret cannot be decrypted; rotate the secret');
  }
  try {
    credentials = openCredentials(keyring, endpointId, endpoint.credentialsSealed);
  } catch {
    return nothingSent('the credentials cannot be decrypted; set them again');
  }
  const { format, url } = endpoint;
  const { sent, shown } = addressRequest({ format, url, body: payload, event }, credentials);
  const about = { eventId, deliveryId, attempt, kind, payload: sent.body, occurredAt, sentAt };
  const headers = deliveryHeaders({ ...about, secrets, serviceName });
  const posted = { endpointId, url: sent.url, headers: { ...headers, ...sent.headers }, payload: sent.body };
  const outcome = await sendDelivery(sender, posted);
  return {
    ...hideSecrets(outcome, credentials),
    request: outcome.request && { url: shown.url, headers: { ...headers, ...shown.headers } },
  };
}
