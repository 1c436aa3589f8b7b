import { isIP, type Socket } from 'node:net';
import {
  connect,
  createSecureContext,
  type PeerCertificate,
  type SecureContext,
  type TLSSocket,
} from 'node:tls';
import { storableText } from '@/lib/core/storable-text';
import { abortReason } from './deadline';
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
  /** The host that the certificate must be valid for; also the server name sent, unless it is an address. */
  host: string;
  /** Who is spoken to, for messages. */
  address: string;
  port: number;
  /** Whether a certificate that cannot be verified is refused. */
  verify: boolean;
  /** The authorities to trust instead of Node's (NODE_EXTRA_CA_CERTS included). */
  secureContext?: SecureContext;
  signal: AbortSignal;
  /** Called with what the server's certificate says, also when it is refused afterwards. */
  onCertificate?(certificate: { expiresAt: Date; issuer: string | null }): void;
};

/**
 * Speaks TLS over a connected socket. Nothing of the caller's is sent before the certificate is verified.
 * Throws a `NetError` of code `tls`, or the signal's reason; the socket is destroyed then.
 */
export function startTls(options: TlsOptions): Promise<TLSSocket> {
  const { socket, address, port, verify, signal, onCertificate } = options;
  const host = options.host.replace(/^\[(.*)\]$/, '$1');
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      socket.destroy();
      return reject(abortReason(signal));
    }
    defaultContext ??= createSecureContext();
    const tls = connect({
      socket,
      host,
      servername: isIP(host) === 0 ? host.replace(/\.$/, '') : '',
      secureContext: options.secureContext ?? defaultContext,
      ALPNProtocols: ['http/1.1'],
      // Verified below instead, so that the certificate can be named in the message.
      rejectUnauthorized: false,
    });
    const finish = () => {
      signal.removeEventListener('abort', stop);
      tls.off('error', fail);
      tls.off('close', fail);
      tls.on('error', () => {});
    };
    const refuse = (error: Error) => {
      finish();
      tls.destroy();
      socket.destroy();
      reject(error);
    };
    const stop = () => refuse(abortReason(signal));
    const fail = (error: unknown) =>
      refuse(new NetError('tls', describeHandshake(formatPeer(address, port), error), { cause: error }));

    tls.once('error', fail);
    tls.once('close', fail);
    tls.once('secureConnect', () => {
      const certificate = tls.getPeerCertificate();
      const expiresAt = expiryOf(certificate);
      if (expiresAt) onCertificate?.({ expiresAt, issuer: issuerOf(certificate) });
      if (verify && !tls.authorized) {
        const code = String(tls.authorizationError ?? '');
        return refuse(new NetError('tls', describeCertificateError({ code, certificate, host })));
      }
      finish();
      resolve(tls);
    });
    signal.addEventListener('abort', stop, { once: true });
  });
}

function expiryOf(certificate: PeerCertificate): Date | null {
  const end = new Date(certificate.valid_to ?? Number.NaN);
  return Number.isNaN(end.getTime()) ? null : end;
}

/** The organization that signed it, or its name. Peers choose both: neither is to be trusted or long. */
function issuerOf({ issuer }: PeerCertificate): string | null {
  const [name] = [issuer?.O ?? issuer?.CN ?? []].flat();
  return name === undefined || name === '' ? null : storableText(name, 200);
}

function describeHandshake(peer: string, error: unknown): string {
  const code = errorCode(error);
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER' || code === 'ERR_SSL_PACKET_LENGTH_TOO_LONG') {
    return `${peer} does not speak TLS`;
  }
  const reason = error instanceof Error && 'reason' in error ? String(error.reason) : code;
  if (code === 'ECONNRESET' || !(error instanceof Error))
    return `${peer} closed the connection during the TLS handshake`;
  return `the TLS handshake with ${peer} failed${reason ? ` (${reason})` : ''}`;
}

/** Why a certificate was refused, in words; `code` is OpenSSL's or Node's code of the verification. */
function describeCertificateError(refusal: {
  code: string;
  certificate: PeerCertificate;
  host: string;
  now?: number;
}): string {
  const { code, certificate, host, now = Date.now() } = refusal;
  if (code === 'DEPTH_ZERO_SELF_SIGNED_CERT') return 'certificate is self-signed';
  if (code === 'CERT_HAS_EXPIRED') return describeExpiry(certificate, now);
  if (code === 'CERT_NOT_YET_VALID') return `certificate is not valid before ${certificate.valid_from}`;
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return describeNames(certificate, host);
  if (UNKNOWN_AUTHORITY.has(code)) return 'certificate is signed by an unknown authority';
  return `certificate could not be verified${code ? ` (${code})` : ''}`;
}

function describeExpiry(certificate: PeerCertificate, now: number): string {
  const days = Math.floor((now - Date.parse(certificate.valid_to)) / DAY_MS);
  if (!(days >= 0)) return 'a certificate of the chain that signs the server’s has expired';
  if (days === 0) return 'certificate expired today';
  return `certificate expired ${days} ${days === 1 ? 'day' : 'days'} ago`;
}

function describeNames(certificate: PeerCertificate, host: string): string {
  const names = (certificate.subjectaltname ?? '')
    .split(', ')
    .map((name) => name.replace(/^(DNS|IP Address|URI):/, ''))
    .filter((name) => name !== '');
  if (names.length === 0 && certificate.subject?.CN) names.push(String(certificate.subject.CN));
  if (names.length === 0) return `certificate is not valid for ${host}`;
  const more = names.length > MAX_NAMES ? `, and ${names.length - MAX_NAMES} more` : '';
  return `certificate is not valid for ${host} (valid for ${names.slice(0, MAX_NAMES).join(', ')}${more})`;
}
