import { connect, type Socket } from 'node:net';
import { abortable, type StopSignal } from './deadline';
import { FAILURES } from './failures';
import { errorCode, formatPeer, NetError } from './net-error';

/** Codes of the system for an address without a route. */
export const UNREACHABLE: ReadonlySet<string> = new Set([
  'ENETUNREACH',
  'EHOSTUNREACH',
  'EADDRNOTAVAIL',
  'EAFNOSUPPORT',
]);
/** A connection that was accepted ended before the system reported it; one that is not accepted is ECONNREFUSED. */
const RESET = new Set(['ECONNRESET', 'EPIPE']);

/**
 * Connects to a checked or configured address. The peer may already have reset the connection: chance decides whether that is seen before
 * or after it is connected. An idle socket is then returned with its `errored` set.
 *
 * Throws a `NetError` of code `connect`, a `ConnectionResetError`, or the signal's reason.
 */
export function connectToAddress(
  address: string,
  { port, isIdle = false }: { port: number; isIdle?: boolean },
  signal: StopSignal,
): Promise<Socket> {
  return abortable(signal, (resolve, reject) => {
    const socket = connect({ host: address, port, noDelay: !isIdle });
    if (isIdle) socket.pause();
    socket.once('connect', () => resolve(socket));
    // Never removed: a late error without a listener would end the process.
    socket.on('error', (error) => {
      if (!wasReset(socket)) reject(toConnectError(address, port, error));
      else if (isIdle) resolve(socket);
      else reject(new ConnectionResetError(address, port, error));
    });
    return (isConnected) => {
      if (!isConnected) socket.destroy();
    };
  });
}

/** Whether the peer reset a connection that it had accepted. */
export function wasReset({ errored }: Pick<Socket, 'errored'>): boolean {
  return RESET.has(errorCode(errored));
}

/** The peer reset a connection that it had accepted, before it sent anything. */
export class ConnectionResetError extends NetError {
  constructor(
    readonly address: string,
    port: number,
    cause: Error | null,
  ) {
    super('connection_lost', FAILURES.firstByte.reset({ peer: formatPeer(address, port) }), { cause });
    this.name = 'ConnectionResetError';
  }
}

function toConnectError(address: string, port: number, error: Error): NetError {
  return new NetError('connect', formatConnectError(address, port, error), { cause: error });
}

function formatConnectError(address: string, port: number, error: Error): string {
  const peer = formatPeer(address, port);
  const code = errorCode(error);
  if (code === 'ECONNREFUSED') return FAILURES.connect.refused({ peer });
  if (code === 'ETIMEDOUT') return FAILURES.connect.silent({ peer });
  if (UNREACHABLE.has(code)) return FAILURES.connect.unreachable({ peer });
  return FAILURES.connect.other({ peer, reason: code });
}
