/** Why an exchange over the network failed, as a word for machines. */
export type NetErrorCode =
  | 'timeout'
  | 'dns'
  | 'connect'
  | 'connection_lost'
  | 'tls'
  | 'protocol'
  | 'blocked'
  | 'unavailable';

/** Milliseconds that the phases of one exchange took; null where a phase did not happen or was not finished. */
export type ExchangeTimings = {
  dns: number | null;
  connect: number | null;
  tls: number | null;
  firstByte: number | null;
  transfer: number | null;
};

/** How far an exchange came; what is still null was not reached. */
export type ExchangeProgress = {
  timings: ExchangeTimings;
  statusCode: number | null;
  remoteAddress: string | null;
  certificateExpiresAt: Date | null;
  certificateIssuer: string | null;
};

/** A failure of the network or the peer; `message` is in words that a person can act on. */
export class NetError extends Error {
  /** How far the exchange came; set by `requestGuarded`. */
  progress: ExchangeProgress | null = null;

  constructor(
    readonly code: NetErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'NetError';
  }
}

/** The policy closes the target. Says so without naming the address, which could tell a stranger about the network. */
export class BlockedTargetError extends NetError {
  constructor() {
    super('blocked', 'this target is not allowed');
    this.name = 'BlockedTargetError';
  }
}

/** The progress of an exchange that has not begun. */
export function createProgress(): ExchangeProgress {
  return {
    timings: { dns: null, connect: null, tls: null, firstByte: null, transfer: null },
    statusCode: null,
    remoteAddress: null,
    certificateExpiresAt: null,
    certificateIssuer: null,
  };
}

/** The system's or the library's own code of an error (`ECONNREFUSED`), or an empty text. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** `10.0.0.5:443`, `[::1]:80`: an address and port as messages name them. */
export function formatPeer(address: string, port: number): string {
  return address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;
}
