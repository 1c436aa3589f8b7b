import { domainToUnicode } from 'node:url';

/** How long an exchange took until it was ended: what is missing (`no response within 10s`). */
type Limit = { limit: string };
/** The server: `10.0.0.5:443`. */
type Peer = { peer: string };
/** A server, and the protocol that it should speak. */
type Spoken = Peer & { name: string };
type Awaited = Spoken & { what: string };
/** The host name that is looked up. */
type Name = { name: string };
/** The version of IP: 4 or 6. */
type Family = { family: number };
/** The DNS server: `10.0.0.2`, `[::1]:5353`. */
type Resolver = { resolver: string };
/** A code or words of the system or a library; empty without any. */
type Reason = { reason: string };

const parenthesize = (reason: string) => (reason === '' ? '' : ` (${reason})`);

const formatAgo = (days: number) => (days === 0 ? 'today' : `${days} ${days === 1 ? 'day' : 'days'} ago`);

/** What completes a sentence about a server that begins with HTTP/2, or rejects HTTP/1.1 in the handshake. */
export const ONLY_HTTP2 = 'speaks only HTTP/2; Pharos uses HTTP/1.1';

/**
 * What is reported of a failed exchange, by its phase and the cause: all sentences in one place, and in the order in which an exchange
 * can fail. A sentence names what can be acted on, and only what is certain: who did not respond, and to what.
 */
export const FAILURES = {
  /** The name is looked up. */
  lookup: {
    timeout: ({ limit, name }: Limit & Name) => `${limit} while looking up ${name}`,
    notFound: ({ name }: Name) => `host name ${name} does not exist`,
    deadAlias: ({ name, alias }: Name & { alias: string }) =>
      `host name ${name} is an alias for ${alias}, which does not exist`,
    noAddress: ({ name }: Name) => `host name ${name} has no address`,
    noAddressOf: ({ name, family }: Name & Family) => `host name ${name} has no IPv${family} address`,
    otherFamily: ({ address, family }: { address: string } & Family) =>
      `${address} is not an IPv${family} address`,
    silent: ({ name }: Name) => `the resolver did not respond for host name ${name}`,
    errorCode: ({ resolver, rcode }: Resolver & { rcode: string }) =>
      `resolver ${resolver} returned ${rcode}`,
    refused: ({ resolver }: Resolver) => `resolver ${resolver} does not accept queries`,
    unreachable: ({ resolver }: Resolver) => `resolver ${resolver} cannot be reached`,
    mismatched: ({ resolver }: Resolver) => `resolver ${resolver} sent a reply that does not match the query`,
    closed: ({ resolver }: Resolver) => `resolver ${resolver} closed the connection before replying`,
    dropped: ({ resolver }: Resolver) => `resolver ${resolver} dropped the connection before replying`,
    /** What a resolver responded, or why it did not. */
    unresolved: ({ name, problem }: Name & { problem: string }) =>
      `host name ${name} could not be resolved: ${problem}`,
    other: ({ name, reason }: Name & Reason) =>
      `host name ${name} could not be resolved${parenthesize(reason)}`,
  },
  /** A connection is opened. */
  connect: {
    timeout: ({ limit, peer }: Limit & Peer) => `${limit} while connecting to ${peer}`,
    /** The system gave up earlier. */
    silent: ({ peer }: Peer) => `${peer} did not accept the connection before the timeout`,
    refused: ({ peer }: Peer) => `connection refused by ${peer}`,
    unreachable: ({ peer }: Peer) => `no route to ${peer}`,
    other: ({ peer, reason }: Peer & Reason) => `could not connect to ${peer}${parenthesize(reason)}`,
  },
  /** TLS is negotiated, and the certificate is verified. */
  tls: {
    timeout: ({ limit, peer }: Limit & Peer) => `${limit} during the TLS handshake with ${peer}`,
    closed: ({ peer }: Peer) => `${peer} closed the connection during the TLS handshake`,
    notTls: ({ peer }: Peer) => `${peer} does not speak TLS`,
    outdated: ({ peer }: Peer) => `${peer} supports only outdated versions of TLS; Pharos uses 1.2 and 1.3`,
    onlyHttp2: ({ peer }: Peer) => `${peer} ${ONLY_HTTP2}`,
    nothingInCommon: ({ peer }: Peer) =>
      `${peer} refused the TLS handshake: no encryption in common, or it requires a client certificate`,
    needsClientCertificate: ({ peer }: Peer) => `${peer} requires a client certificate`,
    unknownName: ({ peer }: Peer) => `${peer} has no certificate for this host name`,
    weak: ({ peer }: Peer) => `${peer} uses a key or signature that is too weak to be secure`,
    refused: ({ peer, reason }: Peer & Reason) => `${peer} refused the TLS handshake${parenthesize(reason)}`,
    internalError: ({ peer }: Peer) => `${peer} reported an internal error during the TLS handshake`,
    other: ({ peer, reason }: Peer & Reason) =>
      `the TLS handshake with ${peer} failed${parenthesize(reason)}`,
    selfSigned: () => 'certificate is self-signed',
    expired: ({ name, days }: { name: string; days: number }) => `${name} expired ${formatAgo(days)}`,
    notYetValid: ({ name, from }: { name: string; from: string }) => `${name} is not valid until ${from}`,
    wrongHost: ({ host, names }: { host: string; names: string }) =>
      `certificate is not valid for ${host}${names === '' ? '' : ` (valid for ${names})`}`,
    unknownAuthority: () => 'certificate was issued by an unknown authority',
    missingIssuer: ({ issuer }: { issuer: string }) =>
      `the server does not send its certificate chain: the issuer “${issuer}” is neither sent nor trusted`,
    unverified: ({ reason }: Reason) => `certificate could not be verified${parenthesize(reason)}`,
  },
  /** A protocol other than HTTP is spoken. `what` is awaited: `greeting`. */
  exchange: {
    timeout: ({ limit, peer, name, what }: Limit & Awaited) =>
      `${limit} while waiting for the ${name} ${what} from ${peer}`,
    closed: ({ peer, name, what }: Awaited) => `connection closed by ${peer} before the ${name} ${what}`,
    reset: ({ peer, name, what }: Awaited) => `connection reset by ${peer} before the ${name} ${what}`,
    other: ({ peer, name }: Spoken) => `${peer} does not speak ${name}`,
    otherWith: ({ peer, name, sent }: Spoken & { sent: string }) =>
      `${peer} does not speak ${name}: it sent “${sent}”`,
    refused: ({ peer, name }: Spoken) => `${peer} refused the ${name} session`,
    refusedWith: ({ peer, name, words }: Spoken & { words: string }) =>
      `${peer} refused the ${name} session: “${words}”`,
    unencrypted: ({ peer, command }: Peer & { command: string }) => `${peer} does not offer ${command}`,
    injected: ({ peer }: Peer) => `${peer} sent data before TLS was negotiated`,
  },
  /** The request is sent; nothing of the response has arrived. */
  firstByte: {
    timeout: ({ limit, peer }: Limit & Peer) => `${limit} while waiting for the first byte from ${peer}`,
    closed: ({ peer, reason }: Peer & Reason) =>
      `connection closed by ${peer} before a response${parenthesize(reason)}`,
    reset: ({ peer }: Peer) => `connection reset by ${peer} before a response`,
    invalid: ({ peer, problem }: Peer & { problem: string }) => `${peer} ${problem}`,
  },
  /** The response has begun; its headers are not complete. */
  headers: {
    timeout: ({ limit, peer }: Limit & Peer) => `${limit} while reading the headers from ${peer}`,
    closed: ({ peer, reason }: Peer & Reason) =>
      `connection closed by ${peer} during the response${parenthesize(reason)}`,
    reset: ({ peer }: Peer) => `connection reset by ${peer} during the response`,
    invalid: ({ peer, problem }: Peer & { problem: string }) => `${peer} ${problem}`,
  },
  /** The headers are complete. */
  body: {
    timeout: ({ within, size }: { within: string; size: string }) =>
      `the response did not end within ${within}, after ${size}`,
    /** The status was enough, and the rest had its own time. */
    tail: ({ peer }: Peer) => `${peer} did not end its response`,
    closed: ({ peer, reason }: Peer & Reason) =>
      `connection closed by ${peer} during the response${parenthesize(reason)}`,
    reset: ({ peer }: Peer) => `connection reset by ${peer} during the response`,
    invalid: ({ peer, problem }: Peer & { problem: string }) => `${peer} ${problem}`,
  },
} as const;

/** A host name as people write it: punycode is what it stands for. Other text stays as it is. */
export function toUnicodeName(text: string): string {
  return /(^|\.)xn--/i.test(text) ? domainToUnicode(text) || text : text;
}
