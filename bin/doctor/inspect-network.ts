import type { InngestServer } from '@/inngest/inngest-server';
import { describeError } from '@/lib/core/errors';
import type { Environment } from '@/lib/env';
import { checkCanaries, checkCanary } from '@/lib/platform/net/canary';
import { type DnsServer, listDnsServers } from '@/lib/platform/net/dns-query';
import { requestGuarded } from '@/lib/platform/net/http-request';
import type { TargetPolicy } from '@/lib/platform/net/target-policy';
import { type Finding, ok, warning, wrong } from './finding';

type Settings = Pick<Environment, 'APP_URL' | 'DNS_SERVERS' | 'NETWORK_CANARY'>;

/** What the operator has set can be on the internal network. */
const POLICY: TargetPolicy = { mode: 'private', allowedCidrs: [] };
const REQUEST_MS = 5000;
const MAX_BODY_BYTES = 4096;
const INNGEST_CLOUD = 'https://api.inngest.com';

/** Inspects what this machine reaches: resolvers, the canary, its own public address, and Inngest. */
export async function inspectNetwork(
  { APP_URL, DNS_SERVERS, NETWORK_CANARY }: Settings,
  inngest: InngestServer | null,
): Promise<Finding[]> {
  const findings = await Promise.all([
    ...listDnsServers(DNS_SERVERS).map(inspectResolver),
    inspectCanary(NETWORK_CANARY, DNS_SERVERS),
    ...(APP_URL === undefined ? [] : [inspectOwnAddress(APP_URL)]),
    inspectInngest(inngest),
  ]);
  return findings;
}

async function inspectResolver(server: DnsServer): Promise<Finding> {
  const name = `${server.address}${server.port === 53 ? '' : `:${server.port}`}`;
  if (await checkCanaries([{ kind: 'resolver', server }]))
    return ok('resolver', `The resolver ${name} responds.`);
  const message = `The resolver ${name} does not respond within 2 seconds.`;
  return wrong(
    'resolver',
    message,
    'Set DNS_SERVERS, or correct the resolvers of this machine (/etc/resolv.conf).',
  );
}

/** Without a canary, an outage of this machine's network looks like one of all targets. */
async function inspectCanary(canaries: readonly string[], dnsServers: readonly string[]): Promise<Finding> {
  const isReached = await checkCanary(canaries, dnsServers);
  const name = canaries.length > 0 ? canaries.join(', ') : 'the gateway and the resolvers';
  if (isReached) return ok('canary', `The network of this machine works: of ${name}, one responds.`);
  const remedy = 'Set NETWORK_CANARY to addresses that respond as long as the network of this machine works.';
  if (isReached === null) {
    const message = `None of ${name} can be asked. If this machine loses its network, every monitor looks down.`;
    return warning('canary', message, remedy);
  }
  const message = `None of ${name} responds. When many targets fail at once, results are discarded.`;
  return wrong('canary', message, remedy);
}

async function inspectOwnAddress(appUrl: string): Promise<Finding> {
  const { problem } = await request(`${appUrl}/api/live`, 200);
  if (problem === null) return ok('address', `Pharos responds at ${appUrl}.`);
  const message = `Pharos does not respond at ${appUrl} from this machine: ${problem}.`;
  return warning('address', message, 'Check that it is running, the proxy in front of it, and APP_URL.');
}

async function inspectInngest(server: InngestServer | null): Promise<Finding> {
  if (server === null) return ok('inngest', 'The built-in driver wakes the workers.');
  const url = server.baseUrl ?? INNGEST_CLOUD;
  const { problem } = await request(url, null);
  if (problem === null) return ok('inngest', `Inngest responds at ${url}.`);
  const message = `Inngest does not respond at ${url}: ${problem}. Workers wake themselves meanwhile.`;
  return warning('inngest', message, 'Check that it is running, and INNGEST_BASE_URL or INNGEST_DEV.');
}

/** The problem of a GET; null if it was responded to, with `status` unless that is null. */
async function request(url: string, status: number | null): Promise<{ problem: string | null }> {
  try {
    const { statusCode } = await requestGuarded({
      ...{ url, method: 'GET', policy: POLICY, deadline: REQUEST_MS, maxBodyBytes: MAX_BODY_BYTES },
    });
    const isExpected = status === null || statusCode === status;
    return { problem: isExpected ? null : `it responds with ${statusCode}` };
  } catch (error) {
    return { problem: describeError(error) };
  }
}
