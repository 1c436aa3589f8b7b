import type { InngestServer } from '@/inngest/inngest-server';
import type { Environment } from '@/lib/env';
import { createOwnNetwork, isReachable } from '@/lib/platform/net/canary';
import { type DnsServer, listDnsServers } from '@/lib/platform/net/dns-query';
import { callOperatorUrl } from '@/lib/platform/net/operator/call-operator-url';
import { type DoctorFinding, ok, warning, wrong } from './finding';

type Settings = Pick<Environment, 'APP_URL' | 'DNS_SERVERS' | 'NETWORK_CANARY'>;

const REQUEST_MS = 5000;
const INNGEST_CLOUD = 'https://api.inngest.com';

/** Inspects what this machine reaches: resolvers, the canary, its own public address, and Inngest. */
export async function inspectNetwork(
  { APP_URL, DNS_SERVERS, NETWORK_CANARY }: Settings,
  inngest: InngestServer | null,
): Promise<DoctorFinding[]> {
  const findings = await Promise.all([
    ...listDnsServers(DNS_SERVERS).map(inspectResolver),
    inspectCanary(NETWORK_CANARY, DNS_SERVERS),
    ...(APP_URL === undefined ? [] : [inspectOwnAddress(APP_URL)]),
    inspectInngest(inngest),
  ]);
  return findings;
}

async function inspectResolver(server: DnsServer): Promise<DoctorFinding> {
  const name = `${server.address}${server.port === 53 ? '' : `:${server.port}`}`;
  if (await isReachable({ kind: 'resolver', server }))
    return ok('resolver', `The resolver ${name} responds.`);
  const message = `The resolver ${name} does not respond within 2 seconds.`;
  return wrong(
    'resolver',
    message,
    'Set DNS_SERVERS, or correct the resolvers of this machine (/etc/resolv.conf).',
  );
}

/** Without a proof, an outage of this machine's network looks like one of all targets. */
async function inspectCanary(
  canaries: readonly string[],
  dnsServers: readonly string[],
): Promise<DoctorFinding> {
  const network = createOwnNetwork(canaries, dnsServers);
  const proofs = (await network.listProofs(network.readLinks())).filter(
    ({ way, isConfigured }) => isConfigured || way === 'routed',
  );
  const responses = await Promise.all(proofs.map(({ ask }) => ask()));
  const silent = canaries.filter((_, index) => responses[index] !== true);
  const name = canaries.length > 0 ? canaries.join(', ') : 'a lookup through the resolvers';
  if (responses.every((response) => response === true))
    return ok('canary', `The network of this machine works: ${name} responds.`);
  const remedy = 'Set NETWORK_CANARY to addresses that respond as long as the network of this machine works.';
  if (responses.includes(true)) {
    const message = `Of NETWORK_CANARY, ${silent.join(', ')} does not respond, and is ignored.`;
    return warning('canary', message, remedy);
  }
  const message = `No response to ${name}. Nothing shows whether the network of this machine works: if it is lost, up to four monitors look down.`;
  return wrong('canary', message, remedy);
}

async function inspectOwnAddress(appUrl: string): Promise<DoctorFinding> {
  const called = await callOperatorUrl(`${appUrl}/api/live`, { deadline: REQUEST_MS });
  if ('statusCode' in called && called.statusCode === 200)
    return ok('address', `Pharos responds at ${appUrl}.`);
  const problem = 'problem' in called ? called.problem : `it responds with ${called.statusCode}`;
  const message = `Pharos does not respond at ${appUrl} from this machine: ${problem}.`;
  return warning('address', message, 'Check that it is running, the proxy in front of it, and APP_URL.');
}

async function inspectInngest(server: InngestServer | null): Promise<DoctorFinding> {
  if (server === null) return ok('inngest', 'The built-in driver wakes the workers.');
  const url = server.baseUrl ?? INNGEST_CLOUD;
  const called = await callOperatorUrl(url, { deadline: REQUEST_MS });
  if ('statusCode' in called) return ok('inngest', `Inngest responds at ${url}.`);
  const message = `Inngest does not respond at ${url}: ${called.problem}. Workers wake themselves meanwhile.`;
  return warning('inngest', message, 'Check that it is running, and INNGEST_BASE_URL or INNGEST_DEV.');
}
