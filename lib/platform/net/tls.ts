import { isIP, type Socket } from 'node:net';
import {
  checkServerIdentity,
  connect,
  createSecureContext,
  type PeerCertificate,
  type SecureContext,
  type TLSSocket,
} from 'node:tls';
import { formatCertificateError, type PresentedCertificate } from './certificate';
import { abortable, type StopSignal } from './deadline';
import { FAILURES } from './failures';
import { errorCode, formatPeer, NetError } from './net-error';
import { type CertificateEnd, endOfOne, findFirstEnd } from './verified-chain';

let defaultContext: SecureContext | undefined;

/** The authorities of contexts, so that others can trust the same. */
const authorities = new WeakMap<SecureContext, string | Buffer>();

/** A context that trusts these certificate authorities (PEM) instead of Node's. */
export function createTrustContext(ca: string | Buffer): SecureContext {
  const context = createSecureContext({ ca });
  authorities.set(context, ca);
  return context;
}

/**
 * A context that presents a client certificate (PEM with its chain and its private key), and trusts the same authorities as a trust context, or
 * those of Node.js. Throws the error of OpenSSL if the text is not valid.
 */
export function createClientContext(pem: string, trust?: SecureContext): SecureContext {
  const ca = trust && authorities.get(trust);
  return createSecureContext({ cert: pem, key: pem, ...(ca && { ca }) });
}

export type TlsOptions = {
  socket: Socket;
  /** The host the certificate must be valid for; also sent as the server name unless it is an address. */
  host: string;
  /** The peer, for messages. */
  address: string;
  port: number;
  /** Whether to reject a certificate that cannot be verified. */
  verify: boolean;
  /** The certificate authorities to trust instead of Node's (including NODE_EXTRA_CA_CERTS). */
  secureContext?: SecureContext;
  /** The protocols that are offered in the handshake: HTTP/1.1 by default. */
  alpn?: string[];
  /** In its place for the handshake, to present a client certificate; trusts the same authorities. */
  clientContext?: SecureContext | undefined;
  signal: StopSignal;
  /** Called with the server's certificate, even when it is rejected afterwards. */
  onCertificate?(presented: PresentedCertificate, end: CertificateEnd): void;
};

/**
 * Performs a TLS handshake over a connected socket. Sends no data before the certificate is verified. Throws
 * a `NetError` of code `tls`, or the signal's reason, and then destroys the socket.
 */
export function startTls(options: TlsOptions): Promise<TLSSocket> {
  const { socket, address, port, verify, signal, onCertificate } = options;
  const host = options.host.replace(/^\[(.*)\]$/, '$1');
  if (signal.aborted) socket.destroy();
  return abortable(signal, (resolve, reject) => {
    defaultContext ??= createSecureContext();
    /** Node reads it with its chain to compare its names, which takes longer than all else here. Set if the chain was verified. */
    let verified: PeerCertificate | undefined;
    const tls = connect({
      socket,
      host,
      servername: isIP(host) === 0 ? host.replace(/\.$/, '') : '',
      secureContext: options.clientContext ?? options.secureContext ?? defaultContext,
      ALPNProtocols: options.alpn ?? ['http/1.1'],
      // Verified below, so that the message can name the certificate.
      rejectUnauthorized: false,
      checkServerIdentity: (name, certificate) => {
        verified = certificate;
        return checkServerIdentity(name, certificate);
      },
    });
    const fail = (error: unknown) =>
      reject(new NetError('tls', formatHandshakeError(formatPeer(address, port), error), { cause: error }));

    // Never removed: a late error without a listener would end the process.
    tls.on('error', fail);
    tls.once('close', fail);
    tls.once('secureConnect', () => {
      // With its chain only if that is why the check fails.
      const certificate = verified ?? tls.getPeerCertificate(verify);
      const error = tls.authorized ? null : String(tls.authorizationError ?? '');
      const unread = verified || verify ? undefined : tls.getPeerX509Certificate();
      const presented = { certificate, unread, host, error };
      const end = verified ? findFirstEnd(tls, verified, options.secureContext) : endOfOne(certificate);
      if (end) onCertificate?.(presented, end);
      if (error === null || !verify) return resolve(tls);
      reject(new NetError('tls', formatCertificateError(presented)));
    });
    return (isSecure) => {
      if (isSecure) return;
      tls.destroy();
      socket.destroy();
    };
  });
}

/** What servers and OpenSSL report, by its code. */
const SENTENCES: Readonly<Record<string, (of: { peer: string }) => string>> = {
  ERR_SSL_WRONG_VERSION_NUMBER: FAILURES.tls.notTls,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: FAILURES.tls.notTls,
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: FAILURES.tls.outdated,
  ERR_SSL_UNSUPPORTED_PROTOCOL: FAILURES.tls.outdated,
  ERR_SSL_VERSION_TOO_LOW: FAILURES.tls.outdated,
  ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL: FAILURES.tls.onlyHttp2,
  ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE: FAILURES.tls.nothingInCommon,
  // The same since OpenSSL 3.2, thus in Node.js 24.
  'ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE': FAILURES.tls.nothingInCommon,
  ERR_SSL_TLSV1_ALERT_INSUFFICIENT_SECURITY: FAILURES.tls.nothingInCommon,
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: FAILURES.tls.needsClientCertificate,
  ERR_SSL_TLSV1_UNRECOGNIZED_NAME: FAILURES.tls.unknownName,
  ERR_SSL_TLSV1_ALERT_UNRECOGNIZED_NAME: FAILURES.tls.unknownName,
  ERR_SSL_DH_KEY_TOO_SMALL: FAILURES.tls.weak,
  ERR_SSL_EE_KEY_TOO_SMALL: FAILURES.tls.weak,
  ERR_SSL_CA_KEY_TOO_SMALL: FAILURES.tls.weak,
  ERR_SSL_CA_MD_TOO_WEAK: FAILURES.tls.weak,
  ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR: FAILURES.tls.internalError,
};

/** The sentence about an error of TLS, also of one that arrives after the handshake; null if the error has no known code. */
export function formatTlsError(peer: string, error: unknown): string | null {
  return SENTENCES[errorCode(error)]?.({ peer }) ?? null;
}

function formatHandshakeError(peer: string, error: unknown): string {
  const known = formatTlsError(peer, error);
  if (known !== null) return known;
  const code = errorCode(error);
  const reason = error instanceof Error && 'reason' in error ? String(error.reason) : code;
  // OpenSSL adds in which version of the protocol the alert was introduced.
  const [, alert] = /^(?:sslv3|tlsv1|tlsv13) (?:alert )?(.+)/.exec(reason) ?? [];
  if (alert !== undefined) return FAILURES.tls.refused({ peer, reason: alert });
  if (code === 'ECONNRESET' || !(error instanceof Error)) return FAILURES.tls.closed({ peer });
  return FAILURES.tls.other({ peer, reason });
}
