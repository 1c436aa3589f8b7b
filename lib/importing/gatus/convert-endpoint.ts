import type { SpokenProtocol } from '@/lib/checks/tcp/protocols';
import { HIDDEN } from '@/lib/schemas/hidden';
import { monitorFields } from '@/lib/schemas/monitor/fields';
import { goSeconds } from '../files/durations';
import { Draft } from '../plan/draft';
import { setHeartbeat } from '../plan/heartbeat';
import { addHeaders, setHttpUrl, setMethod, setRequestBody } from '../plan/http-request';
import { readSetting } from '../plan/misread';
import type { ImportedMonitor } from '../plan/plan';
import {
  CLIENT_CERTIFICATE,
  NO_TARGET,
  OAUTH,
  onlyPort,
  onlyReady,
  UDP,
  UNKNOWN_KIND,
} from '../plan/reasons';
import { refOf } from '../plan/ref';
import { listOf, shown, spanOf } from '../plan/sentences';
import { connectionTarget, dnsTarget, withoutPassword } from '../plan/targets';
import { setConditions } from './conditions';
import type { DefaultAlerts, Endpoint } from './endpoint';
import { FIELDS } from './fields';
import { variableOf } from './placeholders';

/** Most placeholders in a sentence. */
const MAX_NAMES = 10;
/** What Gatus uses if an alert has no thresholds. */
const FAILURES = 3;
const SUCCESSES = 2;

const NO_PERIOD =
  'It has no heartbeat interval, so the file does not say when a result is late. Create a heartbeat in Pharos, and let the job call it.';

/** Schemes that Pharos speaks, with the port if none is given. STARTTLS is that of SMTP (https://github.com/TwiN/gatus/blob/master/client/client.go). */
const PROTOCOLS: Partial<Record<string, { protocol: SpokenProtocol; port: number | null }>> = {
  tls: { protocol: 'tls', port: null },
  starttls: { protocol: 'smtp', port: null },
  ssh: { protocol: 'ssh', port: 22 },
};

/** Others, whose port alone is monitored. */
const SERVICES: Partial<Record<string, { what: string; port: number | null }>> = {
  grpc: { what: 'The gRPC health request is', port: 80 },
  grpcs: { what: 'The gRPC health request is', port: 443 },
  ws: { what: 'The WebSocket exchange is', port: 80 },
  wss: { what: 'The WebSocket exchange is', port: 443 },
};

/**
 * One endpoint of Gatus as a monitor of Pharos, or why it cannot be imported. `placeholders` are those in the endpoint, whose
 * values only the environment of Gatus knows.
 */
export function convertEndpoint(
  endpoint: Endpoint,
  defaults: DefaultAlerts,
  placeholders: readonly string[],
): ImportedMonitor {
  const identity = endpoint.group === '' ? endpoint.name : `${endpoint.group}/${endpoint.name}`;
  const kind = kindOf(endpoint);
  const draft = new Draft(FIELDS, { name: endpoint.name, kind, ref: refOf('gatus', identity) });
  const unreachable = setTarget(draft, endpoint, kind);
  if (unreachable !== null) return draft.reject(unreachable);
  setClient(draft, endpoint);
  const reason = setConditions(draft, endpoint.conditions);
  if (reason !== null) return draft.reject(reason);
  draft.setInterval(readDuration(draft, 'Interval', endpoint.interval, 60));
  setThresholds(draft, endpoint, defaults);
  setGroup(draft, endpoint);
  draft.setEnabled(endpoint.enabled !== false);
  if (placeholders.length > 0) {
    const named = placeholders.map((each) =>
      variableOf(each) === null ? 'A text with a dollar sign' : each,
    );
    const distinct = [...new Set(named)];
    const names = listOf(distinct.slice(0, MAX_NAMES).map(shown));
    draft.change(
      `${names} ${distinct.length === 1 ? 'is' : 'are'} imported as text: enter the value in Pharos.`,
    );
  }
  return draft.finish();
}

/**
 * An external endpoint as a heartbeat, or why it cannot be imported. Gatus counts each interval without a result as a failure
 * (https://github.com/TwiN/gatus/blob/master/watchdog/external_endpoint.go), and so does Pharos, without any grace.
 */
export function convertExternal(endpoint: Endpoint, defaults: DefaultAlerts): ImportedMonitor {
  const { name, group } = endpoint;
  const draft = new Draft(FIELDS, { name, kind: 'external', ref: refOf('gatus', `${group}/${name}`) });
  const period = goSeconds(endpoint.heartbeat.interval);
  if (period === null || period === 0) return draft.reject(NO_PERIOD);
  setHeartbeat(draft, { period, grace: 0 });
  setThresholds(draft, endpoint, defaults);
  setGroup(draft, endpoint);
  draft.setEnabled(endpoint.enabled !== false);
  return draft.finish();
}

/** A duration as Go writes it, or what Gatus uses without it. */
function readDuration(draft: Draft, label: string, text: string | null, usual: number): number {
  return readSetting(draft, { label, text, read: goSeconds, instead: spanOf(usual) }) ?? usual;
}

function setGroup(draft: Draft, { group }: Endpoint): void {
  if (group === '') return;
  draft.setTags([group]);
  draft.change(`The group ${shown(group)} becomes a tag.`);
}

function kindOf({ dns, url }: Endpoint): string {
  if (dns !== null) return 'dns';
  const scheme = /^([a-z]+):\/\//.exec((url ?? '').trim())?.[1] ?? 'unknown';
  return scheme === 'https' ? 'http' : scheme;
}

/** Returns why there is no target. */
function setTarget(draft: Draft, endpoint: Endpoint, kind: string): string | null {
  const url = endpoint.url?.trim() ?? '';
  if (url === '') return NO_TARGET;
  const host =
    withoutPassword(url)
      .replace(/^[a-z]+:\/\//, '')
      .split(/[/?#]/)[0] ?? '';
  if (host.includes('$'))
    return `The host is the placeholder ${shown(host)}. Replace it with its value in the file and import again.`;
  const { oauth2, tls, tunnel, 'identity-aware-proxy': proxy } = endpoint.client;
  if (oauth2 !== undefined || proxy !== undefined) return OAUTH;
  if (tunnel !== null)
    return 'SSH tunnels are not supported. Run a worker of Pharos in the network of the target.';
  if (tls !== undefined && (kind === 'http' || kind === 'tls' || kind === 'starttls'))
    return CLIENT_CERTIFICATE;
  switch (kind) {
    case 'http':
      setRequest(draft, endpoint, url);
      return null;
    case 'icmp':
      draft.setTarget('ping', host);
      return null;
    case 'tcp':
      return setPort(draft, url, null) ?? setSend(draft, endpoint, url);
    case 'dns':
      return setDns(draft, endpoint, url);
    case 'udp':
      return UDP;
    case 'sctp':
      return 'SCTP is not supported. If the service also has a TCP port, monitor that port.';
    default:
      return setService(draft, kind, url);
  }
}

function setRequest(draft: Draft, endpoint: Endpoint, url: string): void {
  setMethod(draft, endpoint.method);
  addHeaders(draft, endpoint.headers);
  setHttpUrl(draft, url);
  const body = readBody(draft, endpoint, url);
  const isGraphql = endpoint.graphql === true && body !== null;
  setRequestBody(
    draft,
    isGraphql && body !== HIDDEN ? JSON.stringify({ query: body }) : body,
    isGraphql ? 'application/json' : null,
  );
}

/** The body as Gatus sends it, or null: https://github.com/TwiN/gatus/blob/master/config/endpoint/endpoint.go, getParsedBody. */
function readBody(draft: Draft, { name, group, body }: Endpoint, url: string): string | null {
  if (body === null || body === '') return null;
  if (/\[RANDOM_STRING_\d+\]|\[LOCAL_ADDRESS\]/.test(body))
    draft.change('Random strings and the local address in the body are sent as they are written.');
  return body
    .replaceAll('[ENDPOINT_NAME]', name)
    .replaceAll('[ENDPOINT_GROUP]', group)
    .replaceAll('[ENDPOINT_URL]', url);
}

/** What is sent to a port. */
function setSend(draft: Draft, endpoint: Endpoint, url: string): null {
  const body = readBody(draft, endpoint, url);
  const { success, data } = monitorFields.send.safeParse(body);
  if (!success) draft.change('The text that is sent first is not valid in Pharos and left out.');
  else if (data !== null) draft.body.send = data;
  if (data === HIDDEN)
    draft.change(
      'The text that is sent first is not in the file. Enter it in Pharos; a later import keeps it.',
    );
  return null;
}

function setPort(draft: Draft, url: string, port: number | null): string | null {
  const target = connectionTarget(url, port);
  if (target === null) return NO_TARGET;
  draft.setTarget('tcp', target);
  return null;
}

function setDns(draft: Draft, { dns }: Endpoint, url: string): string | null {
  if (dns === null || dns.name === null) return 'The file does not say which name to resolve.';
  const target = dnsTarget(
    dns.name.trim().replace(/\.$/, ''),
    dns.type,
    url.replace(/^[a-z]+:\/\//, ''),
    null,
  );
  if (target === null) return `Records of type ${shown(dns.type ?? '')} are not supported.`;
  draft.setTarget('dns', target);
  return null;
}

function setService(draft: Draft, kind: string, url: string): string | null {
  const spoken = Object.hasOwn(PROTOCOLS, kind) ? PROTOCOLS[kind] : undefined;
  if (spoken !== undefined) {
    draft.body.protocol = spoken.protocol;
    if (kind === 'ssh') draft.change(onlyReady('The SSH account is'));
    return setPort(draft, url, spoken.port);
  }
  const service = Object.hasOwn(SERVICES, kind) ? SERVICES[kind] : undefined;
  if (service === undefined) return UNKNOWN_KIND;
  draft.change(onlyPort(service.what));
  return setPort(draft, url, service.port);
}

function setClient(draft: Draft, { client }: Endpoint): void {
  draft.setTimeout(readDuration(draft, 'Timeout', client.timeout, 10));
  if (draft.hasRequest) {
    draft.body.followRedirects = client['ignore-redirect'] !== true;
  }
  if (draft.hasRequest || draft.hasTls) draft.body.tlsVerify = client.insecure !== true;
  if (client['proxy-url'] !== null) draft.change('The proxy is not imported: checks connect directly.');
  if (client['dns-resolver'] !== null)
    draft.change('The DNS resolver is not imported: workers use their own.');
}

/** The lowest thresholds of the alerts that are enabled: the first notification decides. */
function setThresholds(draft: Draft, { alerts }: Endpoint, defaults: DefaultAlerts): void {
  const enabled = alerts.filter((alert) => (alert.enabled ?? defaults.get(alert.type)?.enabled) !== false);
  if (enabled.length === 0) return;
  const lowest = (name: 'failure-threshold' | 'success-threshold', fallback: number) => {
    const set = enabled.map((alert) => alert[name] ?? defaults.get(alert.type)?.[name] ?? fallback);
    return Math.min(...set.map((count) => (count > 0 ? count : fallback)));
  };
  draft.setAlertThreshold(lowest('failure-threshold', FAILURES));
  draft.setRecoveryThreshold(lowest('success-threshold', SUCCESSES));
}
