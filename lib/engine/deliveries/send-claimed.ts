import { createHash } from 'node:crypto';
import type { Services } from '@/lib/domain/context/services';
import { hideCredentials, openCredentials, openHeaders } from '@/lib/domain/webhooks/credentials';
import { addressRequest, hideSecrets } from '@/lib/domain/webhooks/formats/address-request';
import { secretHeaders, withOwn } from '@/lib/domain/webhooks/formats/own-headers';
import type { LeasedMessage } from '@/lib/domain/webhooks/messages/lease-message';
import {
  NAMED_MESSAGE_BYTES,
  type Sender,
  sendRequest,
  TIMEOUT_MS,
} from '@/lib/domain/webhooks/send-delivery';
import { deliveryHeaders, openSigningSecrets, type SigningSecrets } from '@/lib/domain/webhooks/sign';
import { renderStored } from '@/lib/domain/webhooks/templates/render-stored';
import { addAcknowledgeLink } from '@/lib/notify/acknowledge-link';
import { hideHeaders } from '@/lib/schemas/hidden';
import type { Credentials } from '@/lib/schemas/webhooks/credentials';
import { editableProduct } from '@/lib/webhook-formats/formats';
import type { ProductRequest } from '@/lib/webhook-formats/request';
import type { ClaimedDelivery, ClaimedEndpoint } from './claim-deliveries';
import { postMessage, type Sent, sendMessage } from './messages/send-message';

type Needs = { services: Services; sender: Sender; serviceName: string };

/**
 * Sends a delivery as its endpoint is now: credentials and the link that acknowledges are added here, and every request is signed with
 * them. `leased` is the message that it belongs to, if that can be edited. The outcome contains neither. A delivery that cannot be
 * signed fails like one that is rejected: it is retried on schedule. Never throws.
 */
export async function sendClaimed(
  { services: { keyring }, sender, serviceName }: Needs,
  delivery: ClaimedDelivery,
  endpoint: ClaimedEndpoint,
  { sentAt, leased }: { sentAt: Date; leased: LeasedMessage | null },
): Promise<Sent> {
  const { endpointId, payload, event } = delivery;
  const fail = (problem: string): Sent => ({ outcome: { kind: 'unsent', error: problem }, shown: null });
  let secrets: SigningSecrets;
  let credentials: Credentials;
  let own: Record<string, string>;
  try {
    secrets = openSigningSecrets(keyring, endpointId, endpoint, sentAt);
  } catch {
    return fail('the signing secret cannot be decrypted; rotate the secret');
  }
  try {
    credentials = openCredentials(keyring, endpointId, endpoint.credentialsSealed);
    own = openHeaders(keyring, endpointId, endpoint.headersSealed);
  } catch {
    return fail('the credentials cannot be decrypted; set them again');
  }
  const { format, url } = endpoint;
  const rendered = delivery.rendersBody
    ? await renderStored(delivery.organizationId, endpoint.template, event)
    : null;
  if (rendered?.text === null) return fail(`the template ${rendered.problem}`);
  const { body, secrets: linked } = addAcknowledgeLink(keyring, delivery, rendered?.text ?? payload);
  const hiddenTexts = { ...credentials, ...secretHeaders(own), ...linked };
  const product = editableProduct(format, endpoint.credentialsSealed !== null);
  const maxBodyBytes = product === null ? undefined : NAMED_MESSAGE_BYTES;
  const revision = revisionOf(delivery.organizationId, endpoint);
  const signing = { delivery, sender, serviceName, sentAt, secrets, own, revision };
  const send = createSend({ ...signing, hiddenTexts, maxBodyBytes });
  if (product === null) {
    const { outcome } = await send(
      addressRequest(format, { url, body, event, messageKey: delivery.messageKey }, credentials),
    );
    const kept = rendered?.text == null ? {} : { renderedBody: rendered.text };
    return { outcome: { ...outcome, ...kept }, shown: null };
  }
  const hidden = hideCredentials(credentials);
  const sending = {
    product,
    body,
    send: (build: Parameters<Parameters<typeof sendMessage>[0]['send']>[0]) =>
      send({ sent: build({ url, credentials }), shown: build({ url, credentials: hidden }) }),
  };
  return leased === null ? postMessage(sending, delivery) : sendMessage(sending, delivery, leased);
}

type Signing = {
  delivery: ClaimedDelivery;
  sender: Sender;
  serviceName: string;
  sentAt: Date;
  secrets: SigningSecrets;
  own: Record<string, string>;
  revision: string;
  /** What outcomes must not contain. */
  hiddenTexts: Record<string, string>;
  /** How much of the response is read. */
  maxBodyBytes: number | undefined;
};

/** Creates what signs and sends the requests of one attempt, which share its timeout from the first on. */
function createSend({ delivery, sender, serviceName, sentAt, secrets, own, ...others }: Signing) {
  const { revision, hiddenTexts, maxBodyBytes } = others;
  const { id: deliveryId, endpointId, eventId, attempt, kind, occurredAt } = delivery;
  const { timeout = TIMEOUT_MS } = sender;
  let startedAt: number | undefined;
  return async ({ sent, shown }: Record<'sent' | 'shown', ProductRequest>) => {
    const about = { eventId, deliveryId, attempt, kind, payload: sent.body, occurredAt, sentAt };
    const headers = deliveryHeaders({ ...about, secrets, serviceName });
    startedAt ??= performance.now();
    const { outcome, text } = await sendRequest(
      { ...sender, timeout: Math.max(1, Math.round(startedAt + timeout - performance.now())) },
      {
        endpointId,
        revision,
        method: sent.method,
        url: sent.url,
        headers: withOwn(headers, { ...sent.headers, ...own }),
        payload: sent.body,
      },
      maxBodyBytes,
    );
    const request = {
      ...outcome.request,
      url: shown.url,
      headers: withOwn(headers, { ...shown.headers, ...hideHeaders(own) }),
    };
    return { text, outcome: { ...hideSecrets(outcome, hiddenTexts), request } };
  };
}

/** Changes with everything that requests to an endpoint are addressed, signed or identified with. */
function revisionOf(organizationId: string, endpoint: ClaimedEndpoint): string {
  const { url, secretSealed, nextSecretSealed, credentialsSealed, headersSealed } = endpoint;
  const hash = createHash('sha256').update(JSON.stringify([organizationId, url]));
  for (const sealed of [secretSealed, nextSecretSealed, credentialsSealed, headersSealed]) {
    hash.update(sealed === null ? '-' : `${sealed.length}:`).update(sealed ?? '');
  }
  return hash.digest('base64');
}
