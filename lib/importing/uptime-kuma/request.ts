import type { Draft } from '../plan/draft';
import {
  addHeaders,
  setAbsentKeyword,
  setBasicAuth,
  setBearerToken,
  setHttpUrl,
  setKeyword,
  setMethod,
  setRedirects,
  setRequestBody,
} from '../plan/http-request';
import { NO_TARGET } from '../plan/reasons';
import { listOf } from '../plan/sentences';
import { setStatusCodes } from '../plan/status-codes';
import { assertJsonQuery } from './json-query';
import type { KumaMonitor } from './monitor-row';
import { UNSUPPORTED_AUTH } from './unsupported';

const CONTENT_TYPES: Partial<Record<string, string>> = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  xml: 'text/xml; charset=utf-8',
};

/** Sets what an HTTP check sends and expects. Returns why that is not possible. */
export function setRequest(draft: Draft, kuma: KumaMonitor, expiryDays: readonly number[]): string | null {
  if (kuma.url === null) return NO_TARGET;
  const auth = kuma.auth_method ?? '';
  const unsupported = Object.hasOwn(UNSUPPORTED_AUTH, auth) ? UNSUPPORTED_AUTH[auth] : undefined;
  if (unsupported !== undefined) return unsupported;
  setMethod(draft, kuma.method);
  // As in Uptime Kuma, a custom Authorization header replaces the one of the sign-in.
  addHeaders(draft, kuma.headers.map);
  if (!kuma.headers.isValid) draft.change('The headers are not valid JSON and are left out.');
  if (auth === 'basic') setBasicAuth(draft, kuma.basic_auth_user ?? '', kuma.basic_auth_pass ?? '');
  if (auth === 'bearer') setBearerToken(draft, kuma.bearer_token ?? '');
  setHttpUrl(draft, kuma.url);
  setRequestBody(draft, kuma.body, CONTENT_TYPES[kuma.http_body_encoding ?? 'json'] ?? null);
  const { accepted_statuscodes: backup, accepted_statuscodes_json: stored } = kuma;
  setRedirects(draft, kuma.maxredirects);
  setStatusCodes(draft, stored.length > 0 ? stored : backup);
  draft.body.tlsVerify = kuma.ignore_tls !== true;
  if (kuma.expiry_notification === true && /^https:/i.test(kuma.url)) warnOfExpiry(draft, expiryDays);
  if (kuma.type === 'json-query') assertJsonQuery(draft, kuma);
  else if (kuma.type !== 'http') {
    if (kuma.invert_keyword === true) setAbsentKeyword(draft, kuma.keyword);
    else setKeyword(draft, kuma.keyword);
  }
  if (kuma.proxy_id !== null) draft.change('The proxy is not imported: checks connect directly.');
  if (kuma.cache_bust === true) draft.change('The parameter that bypasses caches is not imported.');
  if (kuma.ip_family !== null) draft.change('The choice between IPv4 and IPv6 is not imported.');
  return null;
}

function warnOfExpiry(draft: Draft, expiryDays: readonly number[]): void {
  const earliest = Math.max(...expiryDays);
  draft.setTlsExpiryDays(earliest);
  if (expiryDays.length > 1) {
    const days = listOf([...expiryDays].sort((a, b) => b - a).map(String));
    draft.change(
      `Certificate notifications ${days} days before expiry become a warning from ${earliest} days.`,
    );
  }
}
