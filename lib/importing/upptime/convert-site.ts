import { formatTiming } from '@/lib/core/time/duration';
import { HIDDEN } from '@/lib/schemas/hidden';
import { looseNumber } from '../files/loose';
import { addAssertions, leaveOut } from '../plan/assertions';
import { Draft } from '../plan/draft';
import {
  addHeaders,
  setAbsentKeyword,
  setHttpUrl,
  setKeyword,
  setMethod,
  setRedirects,
  setRequestBody,
} from '../plan/http-request';
import { readSetting } from '../plan/misread';
import type { ImportedMonitor } from '../plan/plan';
import { NO_TARGET, onlyPort, UNKNOWN_KIND } from '../plan/reasons';
import { refOf } from '../plan/ref';
import { spanOf } from '../plan/sentences';
import { setCodesThat, setStatusCodes } from '../plan/status-codes';
import { connectionTarget, nameOfTarget } from '../plan/targets';
import { FIELDS } from './fields';
import { hasRandom, hasSecret } from './placeholders';
import type { Site } from './site';

// What Upptime uses if a site does not set them: src/update.ts and src/helpers/request.ts of
// https://github.com/upptime/uptime-monitor.
const CODES = [[200, 208], [226], [300, 308]];
const TIMEOUT = 60;
const MAX_RESPONSE_TIME = 60_000;
const REDIRECTS = 3;
/** Attempts 2 and 10 seconds apart before a site is down. */
const ATTEMPTS = 3;
const ATTEMPT_INTERVAL = 10;
/** A certificate is down once it expires within a week. */
const CERTIFICATE_DAYS = 7;

const SECRET_TARGET =
  'Its URL or port is a secret of the repository, or contains one. Replace it with its value in a copy of the file and import that.';

/** One site of Upptime as a monitor of Pharos, or why it cannot be imported. `interval` is that of the workflow, in seconds. */
export function convertSite(site: Site, interval: number): ImportedMonitor {
  const name = site.name || nameOfTarget(site.url ?? '');
  const ref = refOf('upptime', site.slug ?? name);
  const draft = new Draft(FIELDS, { name, kind: site.check, ref });
  if (site.url === null) return draft.reject(NO_TARGET);
  if (hasSecret(site.url) || hasSecret(site.port ?? '')) return draft.reject(SECRET_TARGET);
  const reason = setTarget(draft, site, site.url.trim());
  if (reason !== null) return draft.reject(reason);
  draft.setInterval(interval);
  draft.setAlertThreshold(ATTEMPTS);
  draft.setConfirmInterval(ATTEMPT_INTERVAL);
  const slowest = readNumber(
    draft,
    'Maximum response time',
    site.maxResponseTime,
    formatTiming(MAX_RESPONSE_TIME),
  );
  draft.setDegradedThreshold(slowest || MAX_RESPONSE_TIME);
  draft.setTags(site.tags);
  if (site.type === 'globalping')
    draft.change('Checks run from the regions of Pharos instead of the Globalping network.');
  if (site.ipv6 === true) draft.change('Checks use IPv4 or IPv6, not only IPv6.');
  return draft.finish();
}

/** Returns why there is no target. */
function setTarget(draft: Draft, site: Site, url: string): string | null {
  switch (site.check) {
    case 'http':
      setRequest(draft, site, url);
      return null;
    case 'ssl':
      return setCertificate(draft, site, url);
    case 'tcp-ping':
      // Globalping pings the host instead, whatever the port.
      if (site.type === 'globalping') {
        draft.setTarget('ping', hostOf(url));
        return null;
      }
      return setPort(draft, url, site.port);
    case 'ws':
      draft.change(onlyPort('The WebSocket connection and message are'));
      return setPort(draft, url, url.startsWith('ws:') ? '80' : '443');
    default:
      return UNKNOWN_KIND;
  }
}

function setPort(draft: Draft, url: string, port: string | null): string | null {
  const target = connectionTarget(url, port === null ? null : Number(port));
  if (target === null) return NO_TARGET;
  draft.setTarget('tcp', target);
  return null;
}

/** Only the days until the certificate expires count, not its issuer or the response. */
function setCertificate(draft: Draft, site: Site, url: string): string | null {
  const target = connectionTarget(url, Number(site.port ?? 443));
  if (target === null) return NO_TARGET;
  draft.setTarget('http', `https://${target.replace(/:443$/, '')}/`);
  setRedirects(draft, 0);
  draft.body.tlsVerify = false;
  setCodesThat(draft, () => true);
  // Whole days in Pharos.
  addAssertions(draft, {
    source: 'certificateDays',
    comparison: 'greaterThan',
    target: CERTIFICATE_DAYS - 1,
  });
  return null;
}

function setRequest(draft: Draft, site: Site, url: string): void {
  setMethod(draft, site.method);
  for (const line of site.headers) {
    const colon = line.indexOf(':');
    const value = line.slice(colon + 1).trim();
    addHeaders(draft, { [line.slice(0, Math.max(0, colon))]: hasSecret(value) ? HIDDEN : value });
  }
  setHttpUrl(draft, completeUrl(draft, site, url));
  const { body } = site;
  // The type that curl sends unless there is a header: https://curl.se/libcurl/c/CURLOPT_POSTFIELDS.html.
  setRequestBody(
    draft,
    body !== null && hasSecret(body) ? HIDDEN : body,
    'application/x-www-form-urlencoded',
  );
  if ([url, ...site.headers, body ?? ''].some(hasRandom))
    draft.change('Random values are imported as text: each check sends the same.');
  draft.setTimeout(readNumber(draft, 'Timeout', site.requestTimeout, spanOf(TIMEOUT)) || TIMEOUT);
  const redirects = readNumber(draft, 'Maximum redirects', site.maxRedirects, String(REDIRECTS));
  setRedirects(draft, redirects ?? REDIRECTS);
  if (site.expectedStatusCodes.length > 0) setStatusCodes(draft, site.expectedStatusCodes);
  else setCodesThat(draft, isUsual);
  setTexts(draft, site);
  setVerification(draft, site);
}

/** A number that is not negative. */
function readNumber(draft: Draft, label: string, text: string | null, instead: string): number | null {
  const read = (given: string) => {
    const number = looseNumber.parse(given);
    return number !== null && number >= 0 ? number : null;
  };
  return readSetting(draft, { label, text, read, instead });
}

function isUsual(code: number): boolean {
  return CODES.some(([from = 0, to = from]) => from <= code && code <= to);
}

function completeUrl(draft: Draft, site: Site, url: string): string {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(url)) return url;
  const scheme = site.type === 'globalping' ? 'https://' : 'http://';
  draft.change(`${scheme} is added to the URL, as Upptime does.`);
  return `${scheme}${url}`;
}

function setTexts(draft: Draft, site: Site): void {
  const required = site.__dangerous__body_down_if_text_missing;
  const forbidden = site.__dangerous__body_down;
  const isKnown = (text: string | null) => text === null || !hasSecret(text);
  if (isKnown(required)) setKeyword(draft, required);
  if (isKnown(forbidden)) setAbsentKeyword(draft, forbidden);
  if (!isKnown(required) || !isKnown(forbidden))
    leaveOut(draft, 'the response body', 'it contains a secret of the repository');
  if (site.__dangerous__body_degraded || site.__dangerous__body_degraded_if_text_missing)
    draft.change('A text for degraded is not imported: in Pharos a text decides between up and down.');
}

function setVerification(draft: Draft, site: Site): void {
  const isPeer = site.__dangerous__insecure === true || site.__dangerous__disable_verify_peer === true;
  const isHost = site.__dangerous__insecure === true || site.__dangerous__disable_verify_host === true;
  if (!isPeer && !isHost) return;
  draft.body.tlsVerify = false;
  if (isPeer !== isHost) draft.change('Certificates are not verified at all, neither issuer nor host name.');
}

function hostOf(url: string): string {
  return url.replace(/^[a-z]+:\/\//i, '').replace(/[/?#:].*$/s, '');
}
