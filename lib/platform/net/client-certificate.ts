import { createPrivateKey, X509Certificate } from 'node:crypto';
import { createClientContext } from './tls';

/** Why a certificate chain with its private key (PEM) cannot be presented in a handshake, as a predicate; null if it can. */
export function findCertificateProblem(pem: string): string | null {
  const certificate = attempt(() => new X509Certificate(pem));
  if (certificate === null) return 'contains a certificate that cannot be read';
  const key = attempt(() => createPrivateKey(pem));
  if (key === null) return 'contains a private key that cannot be read';
  if (!certificate.checkPrivateKey(key))
    return 'contains a private key that does not match the first certificate';
  const isUsable = attempt(() => createClientContext(pem)) !== null;
  return isUsable ? null : 'contains an issuer that cannot be read, or a key that is too weak to be secure';
}

function attempt<Value>(read: () => Value): Value | null {
  try {
    return read();
  } catch {
    return null;
  }
}
