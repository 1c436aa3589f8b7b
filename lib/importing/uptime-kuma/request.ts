import { ipVersion } from '@/lib/core/addresses';
import { parseUrl } from '@/lib/core/parse-url';
import { addAssertions, literal, NO_SPACE } from '../plan/assertions';
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
import { toJsonPath, valuesOf } from '../plan/json-values';
import { NO_TARGET } from '../plan/reasons';
import { listOf } from '../plan/sentences';
import { setStatusCodes } from '../plan/status-codes';
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
  setFamily(draft, kuma.ip_family);
  return null;
}

const FAMILIES: Readonly<Record<string, '4' | '6'>> = { ipv4: '4', ipv6: '6' };

/** Sets over which version of IP is checked, unless the target is an address of the other one. Call it after the URL is set. */
function setFamily(draft: Draft, family: string | null): void {
  const chosen = FAMILIES[family ?? ''];
  if (chosen === undefined) return;
  const version = ipVersion((parseUrl(draft.body.url ?? '')?.hostname ?? '').replace(/^\[(.*)\]$/, '$1'));
  if (version === 0 || String(version) === chosen) draft.body.ipVersion = chosen;
  else draft.change(`The choice of IPv${chosen} is not imported: the URL has an IPv${version} address.`);
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

/** A query that is nothing but names and indexes, which the query language of Uptime Kuma and RFC 9535 read alike. */
const PLAIN = /^\$?\.?([A-Za-z_]\w*(?:\.[A-Za-z_]\w*|\[\d+\])*)$/;

/**
 * Adds the JSON query as an assertion, as evaluateJsonQuery compares it
 * (https://github.com/louislam/uptime-kuma/blob/master/src/util.ts): the text of a value that must be there. A query without an
 * exact counterpart is left out, and the reason is added.
 */
function assertJsonQuery(draft: Draft, kuma: KumaMonitor): void {
  const why = addQuery(draft, kuma);
  if (why !== null) draft.change(`The JSON query is not imported: ${why}. Pharos checks the status code.`);
}

function addQuery(
  draft: Draft,
  { json_path: query, json_path_operator: operator, expected_value: expected }: KumaMonitor,
): string | null {
  const written = (query ?? '').trim();
  const property = ['', '$'].includes(written) ? '$' : toJsonPath(PLAIN.exec(written)?.[1] ?? '?');
  if (property === null) return 'it is more than a path of names and indexes';
  const text = expected ?? '';
  const source = 'json';
  switch (operator ?? '==') {
    case '==':
      return added({ source, property, comparison: 'oneOf', target: valuesOf(text) });
    case '!=':
      return added(
        { source, property, comparison: 'exists' },
        // What is null is an error there.
        ...[null, ...valuesOf(text)].map(
          (target) => ({ source, property, comparison: 'notEquals', target }) as const,
        ),
      );
    case '<':
    case '>': {
      if (text.trim() === '' || !Number.isFinite(Number(text))) return 'its value is not a number';
      const comparison = operator === '<' ? 'lessThan' : 'greaterThan';
      return added({ source, property, comparison, target: Number(text) });
    }
    case 'contains':
      // The text of a number contains digits, too.
      return /^[\d.e+-]*$/.test(text)
        ? added({ source, property, comparison: 'matches', target: literal(text) })
        : added({ source, property, comparison: 'contains', target: text });
    default:
      return `its operator has no counterpart`;
  }

  function added(...assertions: Parameters<typeof addAssertions>[1][]): string | null {
    return addAssertions(draft, ...assertions) ? null : NO_SPACE;
  }
}
