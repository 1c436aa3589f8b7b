import { isRecord, looseText } from '../files/loose';
import { addAssertions, literal, NO_SPACE } from '../plan/assertions';
import { Draft } from '../plan/draft';
import { setHeartbeat } from '../plan/heartbeat';
import type { ImportedMonitor } from '../plan/plan';
import { NO_TARGET, onlyPort, onlyReady, UNKNOWN_KIND, UPSIDE_DOWN } from '../plan/reasons';
import { refOf } from '../plan/ref';
import { shown, spanOf } from '../plan/sentences';
import { connectionTarget, dnsTarget, hostAndPort, listResolvers } from '../plan/targets';
import { FIELDS } from './fields';
import type { Groups } from './groups';
import type { KumaMonitor } from './monitor-row';
import { setRequest } from './request';
import { SERVICES, UNSUPPORTED_TYPES } from './unsupported';

/** Uptime Kuma derives the timeout from the interval if it is not set. */
const TIMEOUT_SHARE = 0.8;
/** Seconds that a call to a push monitor may be late. */
const PUSH_BUFFER = 1;

type Context = { groups: Groups; expiryDays: readonly number[] };

/** One monitor of Uptime Kuma as a monitor of Pharos, or why it cannot be imported. */
export function convertMonitor(kuma: KumaMonitor, { groups, expiryDays }: Context): ImportedMonitor {
  const ref = kuma.id === null ? refOf('uptime-kuma', kuma.name) : `uptime-kuma-${kuma.id}`;
  const draft = new Draft(FIELDS, { name: kuma.name, kind: kuma.type, ref });
  const unsupported = Object.hasOwn(UNSUPPORTED_TYPES, kuma.type) ? UNSUPPORTED_TYPES[kuma.type] : undefined;
  if (unsupported !== undefined) return draft.reject(unsupported);
  if (kuma.upside_down === true) return draft.reject(UPSIDE_DOWN);

  if (kuma.type === 'push') setPush(draft, kuma);
  else {
    const reason = setTarget(draft, kuma, expiryDays);
    if (reason !== null) return draft.reject(reason);
    setSchedule(draft, kuma);
  }
  draft.setDescription(kuma.description);
  const names = groups.namesOf(kuma);
  for (const name of names) draft.change(`The group ${shown(name)} becomes a tag.`);
  draft.setTags([...kuma.tags, ...names]);
  draft.setEnabled(kuma.active !== false && !groups.isPaused(kuma));
  if (kuma.active !== false && groups.isPaused(kuma))
    draft.change('It is paused, because its group is paused.');
  return draft.finish();
}

/**
 * A push monitor is down once its interval and a second have passed without a call, and then all of its retries
 * (https://github.com/louislam/uptime-kuma/blob/master/server/model/monitor.js): that is how late a call may be.
 */
function setPush(draft: Draft, kuma: KumaMonitor): void {
  const interval = kuma.interval ?? 60;
  const retries = Math.max(0, kuma.maxretries ?? 0);
  const retryInterval = kuma.retry_interval || interval;
  setHeartbeat(draft, { period: interval, grace: retries * retryInterval + PUSH_BUFFER });
  noteRepetition(draft, kuma);
}

/** Returns why there is no target. */
function setTarget(draft: Draft, kuma: KumaMonitor, expiryDays: readonly number[]): string | null {
  switch (kuma.type) {
    case 'http':
    case 'keyword':
    case 'json-query':
      return setRequest(draft, kuma, expiryDays);
    case 'port':
      return setPort(draft, kuma);
    case 'ping':
      if (kuma.hostname === null) return NO_TARGET;
      draft.setTarget('ping', kuma.hostname.trim());
      return null;
    case 'dns':
      return setDns(draft, kuma);
    case 'globalping':
      return setGlobalping(draft, kuma, expiryDays);
    default:
      return setService(draft, kuma);
  }
}

function setPort(draft: Draft, kuma: KumaMonitor): string | null {
  const target = hostAndPort(kuma.hostname, kuma.port);
  if (target === null) return NO_TARGET;
  draft.setTarget('tcp', target);
  if (kuma.expected_tls_alert !== null && kuma.expected_tls_alert !== 'none')
    draft.change(onlyPort('The expected TLS alert is'));
  return null;
}

function setDns(draft: Draft, kuma: KumaMonitor): string | null {
  const { hostname, dns_resolve_type: type, dns_resolve_server: resolver, port } = kuma;
  if (hostname === null) return NO_TARGET;
  const target = dnsTarget(hostname.trim(), type, resolver, port);
  if (target === null) return `Records of type ${shown(type ?? '')} are not supported.`;
  draft.setTarget('dns', target);
  const [, ...others] = listResolvers(resolver, port);
  if (others.length > 0) {
    draft.body.resolvers = others;
    draft.body.resolverMatch = 'any';
    draft.change('All resolvers are asked with each check. One that succeeds is enough.');
  }
  assertRecords(draft, kuma.conditions, type ?? 'A');
  return null;
}

function setGlobalping(draft: Draft, kuma: KumaMonitor, expiryDays: readonly number[]): string | null {
  draft.change('Checks run from the regions of Pharos instead of the Globalping network.');
  if (kuma.subtype === 'dns') return setDns(draft, kuma);
  if (kuma.subtype === 'http') return setRequest(draft, kuma, expiryDays);
  if (kuma.subtype !== 'ping') return UNKNOWN_KIND;
  if (kuma.hostname === null) return NO_TARGET;
  draft.setTarget('ping', kuma.hostname.trim());
  return null;
}

/** Services are asked whether they are ready if Pharos speaks to them; otherwise, their port is monitored if the file names it. */
function setService(draft: Draft, kuma: KumaMonitor): string | null {
  const service = Object.hasOwn(SERVICES, kuma.type) ? SERVICES[kuma.type] : undefined;
  if (service === undefined) return UNKNOWN_KIND;
  const target = serviceTarget(kuma, service.port);
  if (target === null)
    return `${service.what} not supported, and the file names no host and port to monitor instead.`;
  draft.setTarget('tcp', target);
  if (service.protocol === undefined) draft.change(onlyPort(service.what));
  else if (kuma.type === 'smtp') setMail(draft, kuma.smtp_security, target);
  else {
    // With TLS, its port speaks nothing else.
    const isTls = /^rediss:/i.test(kuma.database_connection_string ?? '');
    draft.body.protocol = isTls ? 'tls' : service.protocol;
    draft.change(onlyReady(service.what));
  }
  return null;
}

/** Uptime Kuma greets the server, and signs in if it has an account (https://github.com/louislam/uptime-kuma/blob/master/server/monitor-types/smtp.js). */
function setMail(draft: Draft, security: string | null, target: string): void {
  const isEncrypted = security === 'secure';
  draft.body.protocol = isEncrypted && !target.endsWith(':465') ? 'tls' : 'smtp';
  draft.body.tlsVerify = isEncrypted || security === 'starttls';
}

function serviceTarget(kuma: KumaMonitor, port: number | null): string | null {
  const { database_connection_string: connection, grpc_url: grpc } = kuma;
  if (kuma.type === 'grpc-keyword') return grpc === null ? null : connectionTarget(grpc, port);
  if (kuma.type === 'websocket-upgrade') {
    const url = kuma.url ?? '';
    return connectionTarget(url, url.startsWith('wss:') ? 443 : 80);
  }
  const [node] = kuma.type === 'rabbitmq' ? kuma.rabbitmq_nodes : kuma.kafka_producer_brokers;
  if (kuma.type === 'rabbitmq' || kuma.type === 'kafka-producer')
    return node === undefined ? null : connectionTarget(node, port);
  if (kuma.type === 'smtp' || kuma.type === 'mqtt')
    return brokerTarget(kuma.hostname ?? '', kuma.port ?? port);
  // The address behind a `mongodb+srv` name is only known to DNS.
  if (connection === null || connection.startsWith('mongodb+srv:')) return null;
  return connectionTarget(connection, port);
}

/** A host, or for MQTT also a URL. */
function brokerTarget(host: string, port: number | null): string | null {
  return host.includes('://') ? connectionTarget(host, port) : hostAndPort(host, port);
}

function setSchedule(draft: Draft, kuma: KumaMonitor): void {
  const interval = kuma.interval ?? 60;
  draft.setInterval(interval);
  const timeout = kuma.timeout !== null && kuma.timeout > 0 ? kuma.timeout : interval * TIMEOUT_SHARE;
  draft.setTimeout(Math.round(timeout * 1000) / 1000);
  const retries = Math.max(0, kuma.maxretries ?? 0);
  draft.setAlertThreshold(retries + 1);
  draft.body.recoveryThreshold = 1;
  const retryInterval = kuma.retry_interval ?? 0;
  if (retries > 0 && retryInterval > 0 && retryInterval !== interval) {
    if (!draft.setConfirmInterval(retryInterval))
      draft.change(`Retries after ${spanOf(retryInterval)} become regular checks.`);
  }
  noteRepetition(draft, kuma);
}

function noteRepetition(draft: Draft, kuma: KumaMonitor): void {
  if ((kuma.resend_interval ?? 0) > 0) draft.change('Notifications are not repeated while it is down.');
}

/** Records that Uptime Kuma and Pharos write alike. */
const PLAIN_TYPES = new Set(['A', 'AAAA', 'CNAME', 'NS']);

/**
 * Adds the condition on DNS records, one of which must satisfy it
 * (https://github.com/louislam/uptime-kuma/blob/master/server/monitor-types/dns.js). Of several conditions the same record has to
 * satisfy all, and a negative one is about any record: neither has a counterpart, so those are left out, and the reason is added.
 */
function assertRecords(draft: Draft, conditions: readonly unknown[], type: string): void {
  if (conditions.length === 0) return;
  const why = addCondition(draft, conditions, type.toUpperCase());
  if (why !== null)
    draft.change(`The conditions on records are not imported: ${why}. Any record of the type is a success.`);
}

function addCondition(draft: Draft, conditions: readonly unknown[], type: string): string | null {
  const [condition, ...others] = conditions;
  if (others.length > 0 || !isRecord(condition) || condition.type !== 'expression') {
    return 'one record would have to satisfy several';
  }
  if (!PLAIN_TYPES.has(type)) return `Uptime Kuma compares parts of ${type} records`;
  const value = looseText.parse(condition.value) ?? '';
  const assertion = toComparison(looseText.parse(condition.operator) ?? '', value);
  if (assertion === null) return 'their operator has no counterpart';
  return addAssertions(draft, { source: 'record', ...assertion }) ? null : NO_SPACE;
}

function toComparison(operator: string, value: string) {
  switch (operator) {
    case 'equals':
    case 'contains':
      return { comparison: operator, target: value } as const;
    case 'starts_with':
      return { comparison: 'matches', target: `^${literal(value)}` } as const;
    case 'ends_with':
      return { comparison: 'matches', target: `${literal(value)}$` } as const;
    default:
      return null;
  }
}
