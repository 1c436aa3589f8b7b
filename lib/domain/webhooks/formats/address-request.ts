import { hideCredentials } from '@/lib/domain/webhooks/credentials';
import type { ReceivedResponse, SentOutcome } from '@/lib/domain/webhooks/send-delivery';
import { HIDDEN } from '@/lib/schemas/hidden';
import type { Credentials } from '@/lib/schemas/webhooks/credentials';
import { editableProduct, findFormat } from '@/lib/webhook-formats/formats';
import type { ProductRequest, StoredBody } from '@/lib/webhook-formats/request';

/** The request that sends a stored body with credentials, and the same without them, as it can be kept. */
export function addressRequest(
  format: string,
  stored: StoredBody,
  credentials: Credentials,
): { sent: ProductRequest; shown: ProductRequest } {
  const { url, body } = stored;
  const product = editableProduct(format, Object.keys(credentials).length > 0);
  const build = (given: Credentials): ProductRequest =>
    product?.post({ url, credentials: given }, body) ?? {
      method: 'POST',
      url,
      headers: {},
      body,
      ...findFormat(format)?.address?.(stored, given),
    };
  return { sent: build(credentials), shown: build(hideCredentials(credentials)) };
}

/** Shorter values are not secret, and would be found in any text. */
const MIN_SECRET = 5;

/** An outcome without credentials, which a receiver may repeat in its response. */
export function hideSecrets(
  outcome: SentOutcome,
  credentials: Readonly<Record<string, string>>,
): SentOutcome {
  const secrets = Object.values(credentials).filter((value) => value.length >= MIN_SECRET);
  if (secrets.length === 0) return outcome;
  const hide = (text: string) => secrets.reduce((left, secret) => left.replaceAll(secret, HIDDEN), text);
  if (outcome.kind === 'failed') return { ...outcome, error: hide(outcome.error) };
  const { headers, body, statusCode } = outcome.response;
  const shown = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, hide(value)]));
  const response: ReceivedResponse = { statusCode, headers: shown, body: hide(body) };
  return outcome.kind === 'delivered'
    ? { ...outcome, response }
    : { ...outcome, response, error: hide(outcome.error) };
}
