import { z } from 'zod';
import type { SpokenProtocol } from '@/lib/checks/tcp/protocols';
import type { RegionId } from '@/lib/schemas/regions';
import {
  looseFlag,
  looseList,
  looseNumber,
  looseText,
  looseTexts,
  looseWord,
  pairsToMap,
} from '../files/loose';
import { Draft } from '../plan/draft';
import {
  addHeaders,
  keepLeftOut,
  setAbsentKeyword,
  setBasicAuth,
  setHttpUrl,
  setKeyword,
  setMethod,
  setRequestBody,
} from '../plan/http-request';
import type { ImportedMonitor } from '../plan/plan';
import { BROWSER, NO_TARGET, UDP, UNKNOWN_KIND } from '../plan/reasons';
import { refOf } from '../plan/ref';
import { countOf, spanOf } from '../plan/sentences';
import { setStatusCodes } from '../plan/status-codes';
import { connectionTarget, dnsTarget, nameOfTarget } from '../plan/targets';
import { FIELDS } from './fields';

/** The attributes of a monitor. */
const attributesSchema = z.object({
  url: looseWord,
  pronounceable_name: looseText.transform((name) => name ?? ''),
  monitor_type: looseText.transform((type) => type ?? ''),
  status: looseWord,
  paused_at: looseWord,
  check_frequency: looseNumber,
  request_timeout: looseNumber,
  confirmation_period: looseNumber,
  recovery_period: looseNumber,
  http_method: looseWord,
  request_headers: looseList.transform(pairsToMap),
  request_body: looseText,
  auth_username: looseWord,
  auth_password: looseText,
  expected_status_codes: looseTexts,
  required_keyword: looseText,
  follow_redirects: looseFlag,
  verify_ssl: looseFlag,
  ssl_expiration: looseNumber,
  domain_expiration: looseNumber,
  proxy_host: looseWord,
  port: looseText,
  regions: looseTexts,
});
type Attributes = z.output<typeof attributesSchema>;

const REGIONS = new Map<string, RegionId>([
  ['us', 'us-east'],
  ['eu', 'eu-west'],
  ['as', 'ap-southeast'],
]);

const UNSUPPORTED: Partial<Record<string, string>> = {
  udp: UDP,
  playwright: BROWSER,
};

/** Mail protocols, with the port if none is given. */
const MAIL: Partial<Record<string, { protocol: SpokenProtocol; port: number }>> = {
  smtp: { protocol: 'smtp', port: 25 },
  pop: { protocol: 'pop3', port: 110 },
  imap: { protocol: 'imap', port: 143 },
};

/** One monitor of Better Stack as a monitor of Pharos, or why it cannot be imported. */
export function convertMonitor(id: string | null, attributes: Record<string, unknown>): ImportedMonitor {
  const monitor = attributesSchema.parse(attributes);
  const name = monitor.pronounceable_name || nameOfTarget(monitor.url ?? '');
  const ref = id === null ? refOf('better-stack', name) : `better-stack-${id}`;
  const { monitor_type: kind } = monitor;
  const draft = new Draft(FIELDS, { name, kind, ref });
  const unsupported = Object.hasOwn(UNSUPPORTED, kind) ? UNSUPPORTED[kind] : undefined;
  if (unsupported !== undefined) return draft.reject(unsupported);
  const reason = monitor.url === null ? NO_TARGET : setTarget(draft, monitor, monitor.url.trim());
  if (reason !== null) return draft.reject(reason);
  if (draft.hasRequest) keepLeftOut(draft, attributes, REQUEST_NAMES);
  setSchedule(draft, monitor);
  draft.setRegions(monitor.regions, REGIONS);
  draft.setEnabled(monitor.paused_at === null && monitor.status !== 'paused');
  if ((monitor.domain_expiration ?? 0) > 0)
    draft.change('The warning before the domain expires is not imported.');
  return draft.finish();
}

const REQUEST_NAMES = {
  method: 'http_method',
  headers: 'request_headers',
  user: 'auth_username',
  body: 'request_body',
};

/** Returns why there is no target. */
function setTarget(draft: Draft, monitor: Attributes, url: string): string | null {
  const { monitor_type: kind } = monitor;
  switch (kind) {
    case 'status':
    case 'expected_status_code':
    case 'keyword':
    case 'keyword_absence':
      setRequest(draft, monitor, url);
      return null;
    case 'ping':
      draft.setTarget('ping', url);
      return null;
    case 'tcp':
    case 'smtp':
    case 'pop':
    case 'imap':
      return setPort(draft, monitor, url);
    case 'dns':
      return setDns(draft, monitor, url);
    default:
      return UNKNOWN_KIND;
  }
}

function setRequest(draft: Draft, monitor: Attributes, url: string): void {
  setMethod(draft, monitor.http_method);
  addHeaders(draft, monitor.request_headers);
  setHttpUrl(draft, url);
  if (monitor.auth_username !== null) setBasicAuth(draft, monitor.auth_username, monitor.auth_password ?? '');
  setRequestBody(draft, monitor.request_body, null);
  const isExact = monitor.monitor_type === 'expected_status_code';
  if (monitor.follow_redirects !== null) draft.body.followRedirects = monitor.follow_redirects;
  setStatusCodes(draft, isExact ? monitor.expected_status_codes : ['2xx']);
  if (monitor.monitor_type === 'keyword') setKeyword(draft, monitor.required_keyword);
  if (monitor.monitor_type === 'keyword_absence') setAbsentKeyword(draft, monitor.required_keyword);
  if (monitor.verify_ssl !== null) draft.body.tlsVerify = monitor.verify_ssl;
  draft.setTlsExpiryDays(monitor.ssl_expiration);
  if (monitor.proxy_host !== null) draft.change('The proxy is not imported: checks connect directly.');
}

function setPort(draft: Draft, monitor: Attributes, url: string): string | null {
  const { monitor_type: kind, port: text, verify_ssl: isVerified } = monitor;
  const mail = MAIL[kind];
  const ports = (text ?? '')
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
  const [first] = ports;
  const target = connectionTarget(url, first === undefined ? (mail?.port ?? null) : Number(first));
  if (target === null) return NO_TARGET;
  draft.setTarget('tcp', target);
  if (mail !== undefined) {
    draft.body.protocol = mail.protocol;
    draft.body.tlsVerify = isVerified === true;
    draft.setTlsExpiryDays(monitor.ssl_expiration);
  }
  if (ports.length > 1)
    draft.change(`Only port ${first} is monitored; ${countOf(ports.length - 1, 'port')} left out.`);
  return null;
}

/** The URL is the name server; the body is the name to resolve. */
function setDns(draft: Draft, { request_body: name, port }: Attributes, server: string): string | null {
  if (name === null || name.trim() === '') return 'The file does not say which name to resolve.';
  const target = dnsTarget(name.trim(), 'A', server, port === null ? null : Number(port));
  if (target === null) return NO_TARGET;
  draft.setTarget('dns', target);
  return null;
}

function setSchedule(draft: Draft, monitor: Attributes): void {
  draft.setInterval(monitor.check_frequency);
  // Milliseconds for all but HTTP.
  const { request_timeout: timeout } = monitor;
  draft.setTimeout(timeout === null || draft.hasRequest ? timeout : timeout / 1000);
  const interval = draft.body.interval ?? 60;
  const { confirmation_period: confirmation, recovery_period: recovery } = monitor;
  if (confirmation !== null && confirmation >= 0) {
    const count = Math.ceil(confirmation / interval) + 1;
    draft.setAlertThreshold(Math.min(count, 10));
    if (confirmation > 0)
      draft.change(
        `A confirmation period of ${spanOf(confirmation)} becomes ${countOf(Math.min(count, 10), 'failed check')} in a row.`,
      );
  }
  if (recovery !== null && recovery >= 0) {
    const count = Math.min(Math.ceil(recovery / interval) + 1, 10);
    draft.setRecoveryThreshold(count);
    if (recovery > 0)
      draft.change(
        `A recovery period of ${spanOf(recovery)} becomes ${countOf(count, 'successful check')} in a row.`,
      );
  }
}
