import type { HostAndPort } from '@/lib/core/addresses';
import { formatCertificateError, listChain } from '@/lib/platform/net/certificate';
import { connectGuarded } from '@/lib/platform/net/connect';
import { startDeadline } from '@/lib/platform/net/deadline';
import type { ProbeTarget } from '@/lib/schemas/monitor/fields';
import { findFailure } from '../assertions/evaluate';
import { daysUntilEnd, NOTHING_OBSERVED } from '../assertions/observed';
import { type Evidence, firstOf, showAddresses } from '../evidence';
import type { ProbeEnvironment } from '../probe-environment';
import { familyOf } from '../probe-families';
import { createJudgedResult, createResultOfError, wantsEvidence, withDetail } from '../probe-result';
import type { ProbeResult } from '../result';
import { listBannerAssertions, MAX_BANNER_BYTES } from './probe-banner';
import { ExchangeError, SocketConversation } from './probe-conversation';
import { PROTOCOL_LABELS, type SpokenProtocol } from './protocols';
import type { ProtocolExchange } from './protocols/exchange';
import { EXCHANGES } from './protocols/exchanges';

/** How long a server may take to say goodbye. A check has its result before. */
const GOODBYE_MS = 1000;

/** Checks that a server speaks a protocol and is ready: see `EXCHANGES`. Never throws. */
export async function probeProtocol(
  target: ProbeTarget,
  protocol: SpokenProtocol,
  { host, port }: HostAndPort,
  env: ProbeEnvironment,
): Promise<ProbeResult> {
  const begun = performance.now();
  const exchange = protocol === 'tls' ? tlsExchange(target) : EXCHANGES[protocol];
  const deadline = startDeadline(target.timeout * 1000, env.signal);
  const { signal } = deadline;
  const seen: Seen = { dns: null, connect: null, addresses: null, address: null, talk: null, connectedAt: 0 };
  try {
    const { policy, resolver, secureContext } = env;
    const onResolved = (ms: number, addresses: readonly string[]) => {
      seen.dns = ms;
      seen.addresses = addresses;
    };
    const { socket, address, timings } = await connectGuarded({
      host,
      port,
      policy,
      resolver,
      family: familyOf(target),
      signal,
      onResolved,
    });
    seen.connect = timings.connect;
    seen.address = address;
    seen.connectedAt = performance.now();
    const talk = new SocketConversation(socket, {
      name: exchange.name,
      host,
      address,
      port,
      verify: target.tlsVerify,
      secureContext,
      signal,
    });
    seen.talk = talk;
    if (exchange.tlsPorts?.includes(port)) await talk.secure();
    const banner = await exchange.begin(talk);
    const responseTime = performance.now() - begun;
    const found = findingsOf(seen);
    const { dns, connect, tls, firstByte } = found.phases;
    // What was said after the first byte, so that the phases add up.
    const transfer = Math.max(0, responseTime - (dns ?? 0) - (connect ?? 0) - (tls ?? 0) - (firstByte ?? 0));
    const phases = { ...found.phases, transfer };
    const result = createJudgedResult(target, env, { ...found, phases, responseTime }, () => ({
      responseTime: Math.round(responseTime),
      banner,
      certificateDays: daysUntilEnd(talk.certificateEnd?.expiresAt ?? null),
    }));
    await sayGoodbye(exchange, talk, env);
    return show(result, env, seen);
  } catch (error) {
    const result = createResultOfError(error, findingsOf(seen));
    return show(error instanceof ExchangeError ? withDetail(result, error.detail) : result, env, seen);
  } finally {
    seen.talk?.socket.destroy();
    deadline.release();
  }
}

/** TLS is negotiated. What is then sent and read is up to the assertions. */
function tlsExchange(target: ProbeTarget): ProtocolExchange {
  return {
    name: PROTOCOL_LABELS.tls,
    async begin(talk) {
      await talk.secure();
      const expected = listBannerAssertions(target);
      if (expected.length === 0) return null;
      if (target.send !== null) talk.sendBytes(target.send, null);
      const isEnough = (banner: string) => findFailure(expected, { ...NOTHING_OBSERVED, banner }) === null;
      return talk.readText(isEnough, MAX_BANNER_BYTES);
    },
  };
}

async function sayGoodbye(
  { end }: ProtocolExchange,
  talk: SocketConversation,
  env: ProbeEnvironment,
): Promise<void> {
  const deadline = startDeadline(GOODBYE_MS, env.signal);
  talk.options.signal = deadline.signal;
  // The server was ready: how it takes leave is no failure.
  await end?.(talk).catch(() => undefined);
  talk.socket.end();
  deadline.release();
}

/** How far a check came. Times are in milliseconds. */
type Seen = {
  dns: number | null;
  connect: number | null;
  addresses: readonly string[] | null;
  address: string | null;
  talk: SocketConversation | null;
  connectedAt: number;
};

function findingsOf({ dns, connect, addresses, address, talk, connectedAt }: Seen) {
  const end = talk?.certificateEnd ?? null;
  const tls = talk?.tlsTime ?? null;
  const firstByteAt = talk?.firstByteAt ?? null;
  const isAfterTls = firstByteAt !== null && (talk?.securedAt ?? Number.POSITIVE_INFINITY) <= firstByteAt;
  const firstByte = firstByteAt === null ? null : firstByteAt - connectedAt - (isAfterTls ? (tls ?? 0) : 0);
  return {
    phases: { dns, connect, tls, firstByte },
    address: address ?? firstOf(addresses),
    certificateExpiresAt: end?.expiresAt ?? null,
    certificateIssuer: end?.issuer ?? null,
    certificateName: end?.name ?? null,
  };
}

function show(result: ProbeResult, env: ProbeEnvironment, seen: Seen): ProbeResult {
  return wantsEvidence(result, env) ? { ...result, evidence: showDialog(seen) } : result;
}

function showDialog({ addresses, address, talk }: Seen): () => Evidence {
  const { certificate = null, dialog = [] } = talk ?? {};
  return () => ({
    ...showAddresses(addresses, address)(),
    certificates: certificate === null ? [] : listChain(certificate),
    certificateError: certificate?.error == null ? null : formatCertificateError(certificate),
    dialog: [...dialog],
  });
}
