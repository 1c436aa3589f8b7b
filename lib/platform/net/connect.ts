import { connectToAddress, UNREACHABLE } from './connect-address';
import { RaceLostError, raceStaggered, type StopSignal } from './deadline';
import { FAILURES } from './failures';
import { BlockedTargetError, errorCode, formatPeer, inPhase } from './net-error';
import { type Lookup, resolveAllowed } from './resolve';
import { isAddressAllowed } from './target-policy';

/** Delay before the next address is attempted in parallel (RFC 8305). */
const STAGGER_MS = 250;
/** A name with many addresses must not turn a check into a scan. */
const MAX_ADDRESSES = 6;

type Target = Lookup & {
  port: number;
  /** Whether to only connect: nothing is sent or read, which takes fewer system calls, and a reset after the connection was accepted is no error. */
  isIdle?: boolean;
  /** Called when the name is resolved, so a failed connect still records this timing. */
  onResolved?(dnsMs: number, addresses: readonly string[]): void;
};

/**
 * The only way to open outbound connections: resolves the host once, checks every address against the policy,
 * and connects to a checked literal address, so DNS changes cannot bypass the policy. Timings are in milliseconds;
 * `dns` is null for a literal address. The caller destroys the socket.
 *
 * Throws `BlockedTargetError`, a `NetError` of code `dns`, `connect` or `connection_lost`, or the signal's reason.
 */
export async function connectGuarded(target: Target) {
  const { policy, signal, onResolved } = target;
  const begun = performance.now();
  const { addresses, isLiteral } = await resolveAllowed(target);
  const resolved = performance.now();
  const dns = isLiteral ? null : resolved - begun;
  if (dns !== null) onResolved?.(dns, addresses);

  const { socket, address } = await connectToAny(addresses.slice(0, MAX_ADDRESSES), target, signal);
  // Undefined when the peer already hung up; the socket is unusable then anyway.
  if (socket.remoteAddress !== undefined && !isAddressAllowed(socket.remoteAddress, policy)) {
    socket.destroy();
    throw new BlockedTargetError();
  }
  return { socket, address, timings: { dns, connect: performance.now() - resolved } };
}

async function connectToAny(addresses: string[], target: Target, signal: StopSignal) {
  const [only, ...others] = addresses;
  try {
    if (only !== undefined && others.length === 0)
      return { address: only, socket: await connectToAddress(only, target, signal) };
    return await raceStaggered(addresses, {
      staggerMs: STAGGER_MS,
      signal,
      attempt: async (address, attemptSignal) => ({
        address,
        socket: await connectToAddress(address, target, attemptSignal),
      }),
      discard: ({ socket }) => socket.destroy(),
    });
  } catch (error) {
    if (error instanceof RaceLostError) throw mostActionable(error.errors);
    const peer =
      only !== undefined && others.length === 0
        ? formatPeer(only, target.port)
        : `${target.host}:${target.port}`;
    throw inPhase(error, ({ message: limit }) => FAILURES.connect.timeout({ limit, peer }));
  }
}

/** If one address family has no route and the other is refused, the refusal is more actionable. */
function mostActionable(errors: unknown[]): unknown {
  const response = errors.find((error) => error instanceof Error && !UNREACHABLE.has(errorCode(error.cause)));
  return response ?? errors[0];
}
