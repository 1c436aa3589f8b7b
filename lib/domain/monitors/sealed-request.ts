import type { Keyring } from '@/lib/core/keyring';

type Request = { headers: Record<string, string>; body: string | null };
type SealedRequest = {
  headersSealed: Uint8Array<ArrayBuffer> | null;
  bodySealed: Uint8Array<ArrayBuffer> | null;
};

/** Headers and body often carry tokens: they are stored only sealed to the monitor. */
export function sealRequest(keyring: Keyring, monitorId: string, { headers, body }: Request): SealedRequest {
  const hasHeaders = Object.keys(headers).length > 0;
  return {
    headersSealed: hasHeaders ? keyring.seal(JSON.stringify(headers), `${monitorId}/headers`) : null,
    bodySealed: body === null ? null : keyring.seal(body, `${monitorId}/body`),
  };
}

/** Opens what `sealRequest` sealed for the same monitor. */
export function openRequest(
  keyring: Keyring,
  monitorId: string,
  sealed: { headersSealed: Uint8Array | null; bodySealed: Uint8Array | null },
): Request {
  const { headersSealed, bodySealed } = sealed;
  return {
    headers: headersSealed ? JSON.parse(keyring.open(headersSealed, `${monitorId}/headers`)) : {},
    body: bodySealed ? keyring.open(bodySealed, `${monitorId}/body`) : null,
  };
}
