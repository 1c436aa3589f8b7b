import { isIP, type Socket } from 'node:net';
import {
  checkServerIdentity,
  connect,
  createSecureContext,
  type PeerCertificate,
  type SecureContext,
  type TLSSocket,
} from 'node:tls';
import { expiryOf, formatCertificateError, issuerOf, type PresentedCertificate } from './certificate';
import { abortable, type StopSignal } from './deadline';
import { FAILURES } from './failures';
import { errorCode, formatPeer, NetError } from './net-error';

let defaultContext: SecureContext | undefined;

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
  signal: StopSignal;
  /** Called with the server's certificate, even when it is rejected afterwards. */
  onCertificate?(certificate: {
    expiresAt: Date;
    issuer: string | null;
    presented: PresentedCertificate;
  }): void;
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
    /** Node reads it to verify it, which takes longer than all else here. */
    let verified: PeerCertificate | undefined;
    const tls = connect({
      socket,
      host,
      servername: isIP(host) === 0 ? host.replace(/\.$/, '') : '',
      secureContext: options.secureContext ?? defaultContext,
      ALPNProtocols: ['http/1.1'],
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
      const expiresAt = expiryOf(certificate);
      if (expiresAt) onCertificate?.({ expiresAt, issuer: issuerOf(certificate), presented });
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

function formatHandshakeError(peer: string, error: unknown): string {
  const code = errorCode(error);
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER' || code === 'ERR_SSL_PACKET_LENGTH_TOO_LONG') {
    return FAILURES.tls.notTls({ peer });
  }
  const reason = error instanceof Error && 'reason' in error ? String(error.reason) : code;
  if (code === 'ECONNRESET' || !(error instanceof Error)) return FAILURES.tls.closed({ peer });
  return FAILURES.tls.other({ peer, reason });
}
