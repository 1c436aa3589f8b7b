import type { Socket } from 'node:net';
import { parseHostAndPort } from '@/lib/core/addresses';
import { memoizeByObject } from '@/lib/core/calls/memoize';
import { connectGuarded } from '@/lib/platform/net/connect';
import { ConnectionResetError, wasReset } from '@/lib/platform/net/connect-address';
import { abortable, type StopSignal, startDeadline } from '@/lib/platform/net/deadline';
import type { ProbeTarget } from '@/lib/schemas/monitor/fields';
import type { Assertion } from '../assertions/assertion';
import { findFailure } from '../assertions/evaluate';
import { NOTHING_OBSERVED } from '../assertions/observed';
import { type Evidence, firstOf, showAddresses } from '../evidence';
import type { ProbeEnvironment } from '../probe-environment';
import { familyOf } from '../probe-families';
import { createFailure, createJudgedResult, createResultOfError, wantsEvidence } from '../probe-result';
import type { ProbeResult } from '../result';
import { listBannerAssertions, MAX_BANNER_BYTES } from './probe-banner';
import { probeProtocol } from './probe-protocol';

/**
 * Sends the text, if there is one, and returns what arrives until all of these assertions hold: at most 8 KiB, and what has arrived
 * when the server closes the connection or the signal aborts.
 */
async function readBanner(
  socket: Socket,
  send: string | null,
  expected: readonly Assertion[],
  signal: StopSignal,
): Promise<string> {
  let received = Buffer.alloc(0);
  const read = abortable<void>(signal, (resolve) => {
    const take = (chunk: Buffer) => {
      received = Buffer.concat([received, chunk.subarray(0, MAX_BANNER_BYTES - received.length)]);
      const banner = received.toString('utf8');
      const holds = findFailure(expected, { ...NOTHING_OBSERVED, banner }) === null;
      if (holds || received.length >= MAX_BANNER_BYTES) resolve();
    };
    const finish = () => resolve();
    socket.on('data', take).once('end', finish).once('close', finish);
    if (send !== null) socket.write(send);
    return () => {
      socket.off('data', take).off('end', finish).off('close', finish);
    };
  });
  // Nothing more arrives in time: what did is judged.
  await read.catch(() => undefined);
  return received.toString('utf8');
}

const readAddress = memoizeByObject(({ url }: ProbeTarget) => parseHostAndPort(url));

/** How long a check whose evidence is kept watches for a reset. Its response time is measured before. */
const WATCH_MS = 100;

/**
 * Checks that `host:port` accepts a connection, and speaks the protocol if there is one, then closes it. Without one, nothing is sent or read unless an assertion is about the banner: only then
 * is it a failure that the server resets the connection before it sent anything.
 */
export async function probeTcp(target: ProbeTarget, env: ProbeEnvironment): Promise<ProbeResult> {
  const parsed = readAddress(target);
  if (parsed === null) return createFailure('protocol', 'the target is not host:port');
  const { protocol } = target;
  if (protocol !== 'none') return probeProtocol(target, protocol, parsed, env);
  const begun = performance.now();
  const seen: Seen = { dns: null, addresses: null, address: null, socket: null };
  const deadline = startDeadline(target.timeout * 1000, env.signal, 'no connection');
  const expected = listBannerAssertions(target);
  try {
    const { socket, address, timings } = await connectGuarded({
      host: parsed.host,
      port: parsed.port,
      isIdle: expected.length === 0,
      policy: env.policy,
      resolver: env.resolver,
      family: familyOf(target),
      signal: deadline.signal,
      onResolved: (ms, resolved) => {
        seen.dns = ms;
        seen.addresses = resolved;
      },
    });
    seen.socket = socket;
    seen.address = address;
    const banner =
      expected.length === 0 ? null : await readBanner(socket, target.send, expected, deadline.signal);
    const responseTime = performance.now() - begun;
    if (banner === '' && wasReset(socket))
      throw new ConnectionResetError(address, parsed.port, socket.errored);
    const result = createJudgedResult(target, env, { responseTime, phases: timings, address }, () => ({
      responseTime: Math.round(responseTime),
      banner,
    }));
    if (!wantsEvidence(result, env)) return result;
    if (banner === null) await watchForReset(socket, deadline.signal);
    return { ...result, evidence: showConnection(seen, wasReset(socket)) };
  } catch (error) {
    const result = createResultOfError(error, {
      phases: { dns: seen.dns },
      address: seen.address ?? firstOf(seen.addresses),
    });
    const isReset = error instanceof ConnectionResetError;
    if (isReset) seen.address = error.address;
    if (wantsEvidence(result, env)) result.evidence = showConnection(seen, isReset);
    return result;
  } finally {
    seen.socket?.destroy();
    deadline.release();
  }
}

/** How far a check came. */
type Seen = {
  dns: number | null;
  addresses: readonly string[] | null;
  address: string | null;
  socket: Socket | null;
};

/** Waits a moment for the server to end the connection, reading nothing into memory. */
async function watchForReset(socket: Socket, signal: StopSignal): Promise<void> {
  const watched = abortable<void>(signal, (resolve) => {
    const finish = () => resolve();
    const timer = setTimeout(finish, WATCH_MS);
    if (socket.destroyed) finish();
    socket.once('close', finish).resume();
    return () => {
      clearTimeout(timer);
      socket.off('close', finish);
    };
  });
  // The check has its result.
  await watched.catch(() => undefined);
}

function showConnection({ addresses, address }: Seen, isReset: boolean): () => Evidence {
  return () => ({ ...showAddresses(addresses, address)(), wasReset: isReset });
}
