import { isIP, type Socket } from 'node:net';
import {
  checkServerIdentity,
  connect,
  createSecureContext,
  type PeerCertificate,
  type SecureContext,
  type TLSSocket,
} from 'node:tls';
import { storableText } from '@/lib/core/storable-text';
import { abortable, type StopSignal } from './deadline';
import { errorCode, formatPeer, NetError } from './net-error';

const DAY_MS = 86_400_000;
const MAX_NAMES = 5;

const UNKNOWN_AUTHORITY = new Set([
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

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
  onCertificate?(certificate: { expiresAt: Date; issuer: string | null }): void;
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
      const certificate = verified ?? tls.getPeerCertificate();
      const expiresAt = expiryOf(certificate);
      if (expiresAt) onCertificate?.({ expiresAt, issuer: issuerOf(certificate) });
      if (tls.authorized || !verify) return resolve(tls);
      const code = String(tls.authorizationError ?? '');
      reject(new NetError('tls', formatCertificateError(code, certificate, host)));
    });
    return (isSecure) => {
      if (isSecure) return;
      tls.destroy();
      socket.destroy();
    };
  });
}

function expiryOf(certificate: PeerCertificate): Date | null {
  const end = new Date(certificate.valid_to ?? Number.NaN);
  return Number.isNaN(end.getTime()) ? null : end;
}

/** The issuing organization, or the issuer's name. The peer chooses both: neither is trusted or unbounded. */
function issuerOf({ issuer }: PeerCertificate): string | null {
  const [name] = [issuer?.O ?? issuer?.CN ?? []].flat();
  return name === undefined || name === '' ? null : storableText(name, 200);
}

function formatHandshakeError(peer: string, error: unknown): string {
  const code = errorCode(error);
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER' || code === 'ERR_SSL_PACKET_LENGTH_TOO_LONG') {
    return `${peer} does not speak TLS`;
  }
  const reason = error instanceof Error && 'reason' in error ? String(error.reason) : code;
  if (code === 'ECONNRESET' || !(error instanceof Error))
    return `${peer} closed the connection during the TLS handshake`;
  return `the TLS handshake with ${peer} failed${reason ? ` (${reason})` : ''}`;
}

/** Why a certificate was rejected; `code` is the verification code of OpenSSL or Node. */
function formatCertificateError(code: string, certificate: PeerCertificate, host: string): string {
  if (code === 'DEPTH_ZERO_SELF_SIGNED_CERT') return 'certificate is self-signed';
  if (code === 'CERT_HAS_EXPIRED') return formatExpiry(certificate);
  if (code === 'CERT_NOT_YET_VALID') return `certificate is not valid until ${certificate.valid_from}`;
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return formatNames(certificate, host);
  if (UNKNOWN_AUTHORITY.has(code)) return 'certificate was issued by an unknown authority';
  return `certificate could not be verified${code ? ` (${code})` : ''}`;
}

function formatExpiry(certificate: PeerCertificate): string {
  const days = Math.floor((Date.now() - Date.parse(certificate.valid_to)) / DAY_MS);
  if (!(days >= 0)) return 'a certificate in the server’s certificate chain has expired';
  if (days === 0) return 'certificate expired today';
  return `certificate expired ${days} ${days === 1 ? 'day' : 'days'} ago`;
}

function formatNames(certificate: PeerCertificate, host: string): string {
  const names = (certificate.subjectaltname ?? '')
    .split(', ')
    .map((name) => name.replace(/^(DNS|IP Address|URI):/, ''))
    .filter((name) => name !== '');
  if (names.length === 0 && certificate.subject?.CN) names.push(String(certificate.subject.CN));
  if (names.length === 0) return `certificate is not valid for ${host}`;
  const more = names.length > MAX_NAMES ? `, and ${names.length - MAX_NAMES} more` : '';
  return `certificate is not valid for ${host} (valid for ${names.slice(0, MAX_NAMES).join(', ')}${more})`;
}
