import { z } from 'zod';
import { MAX_ASSERTIONS } from '@/lib/checks/assertions/assertion';
import { HIDDEN } from '@/lib/schemas/hidden';
import {
  isRecord,
  looseFlag,
  looseList,
  looseRecord,
  looseText,
  looseTextMap,
  looseTexts,
  looseWord,
} from '../files/loose';
import { addAssertions, leaveOut, type NewAssertion, NO_SPACE } from '../plan/assertions';
import type { Draft } from '../plan/draft';
import {
  addHeaders,
  setBasicAuth,
  setHttpUrl,
  setMethod,
  setRedirects,
  setRequestBody,
} from '../plan/http-request';
import { CLIENT_CERTIFICATE, OAUTH } from '../plan/reasons';
import { setStatusCodes } from '../plan/status-codes';

const headerMatches = looseList.transform((list) =>
  list.filter(isRecord).map((each) =>
    z
      .object({
        header: looseText.transform((name) => name ?? ''),
        regexp: looseText.transform((pattern) => pattern ?? ''),
        allow_missing: looseFlag,
      })
      .parse(each),
  ),
);

/** What the exporter shows of a secret, as `[hidden]`. */
const secret = looseText.transform((text) => (text === '<secret>' ? HIDDEN : text));

/** The settings of the `http` prober. */
export const httpSchema = z.object({
  valid_status_codes: looseTexts,
  method: looseWord,
  headers: looseTextMap,
  http_headers: looseRecord,
  body: looseText,
  body_file: looseWord,
  follow_redirects: looseFlag,
  no_follow_redirects: looseFlag,
  fail_if_ssl: looseFlag,
  fail_if_not_ssl: looseFlag,
  fail_if_body_matches_regexp: looseTexts,
  fail_if_body_not_matches_regexp: looseTexts,
  /** The names of older versions. */
  fail_if_matches_regexp: looseTexts,
  fail_if_not_matches_regexp: looseTexts,
  fail_if_header_matches: headerMatches,
  fail_if_header_not_matches: headerMatches,
  fail_if_body_json_matches_cel: looseWord,
  fail_if_body_json_not_matches_cel: looseWord,
  tls_config: looseRecord.pipe(
    z.object({
      insecure_skip_verify: looseFlag,
      ca_file: looseWord,
      server_name: looseWord,
      cert_file: looseWord,
    }),
  ),
  basic_auth: looseRecord.pipe(z.object({ username: looseWord, username_file: looseWord, password: secret })),
  authorization: looseRecord.pipe(
    z.object({ type: looseWord, credentials: secret, credentials_file: looseWord }),
  ),
  bearer_token: secret,
  bearer_token_file: looseWord,
  oauth2: looseRecord,
  proxy_url: looseWord,
});
type Http = z.output<typeof httpSchema>;

/** The exporter follows as many: https://github.com/prometheus/blackbox_exporter/blob/HEAD/prober/http.go. */
const REDIRECTS = 10;

/** Makes the monitor a request of the `http` prober. Returns why it cannot be imported. */
export function setHttpModule(draft: Draft, http: Http, target: string): string | null {
  if (Object.keys(http.oauth2).length > 0) return OAUTH;
  if (http.tls_config.cert_file !== null) return CLIENT_CERTIFICATE;
  setMethod(draft, http.method);
  addHeaders(draft, { ...http.headers, ...readHttpHeaders(http.http_headers) });
  setCredentials(draft, http);
  setHttpUrl(draft, /^[a-z][a-z0-9+.-]*:\/\//i.test(target) ? target : `http://${target}`);
  setRequestBody(draft, http.body_file === null ? http.body : HIDDEN, null);
  const isFollowing = http.follow_redirects !== false && http.no_follow_redirects !== true;
  setRedirects(draft, isFollowing ? REDIRECTS : 0);
  setStatusCodes(draft, http.valid_status_codes.length > 0 ? http.valid_status_codes : ['2xx']);
  addConditions(draft, http);
  draft.body.tlsVerify = http.tls_config.insecure_skip_verify !== true;
  noteOthers(draft, http);
  return null;
}

/** Headers with several values: the last one is sent. Those in files are not here. */
function readHttpHeaders(headers: Record<string, unknown>): Record<string, string> {
  const lists = z.object({ values: looseTexts, secrets: looseTexts, files: looseTexts });
  const entries = Object.entries(headers).flatMap(([name, value]) => {
    const { values, secrets, files } = looseRecord.pipe(lists).parse(value);
    const last = [
      ...values,
      ...secrets.map((each) => secret.parse(each) ?? ''),
      ...files.map(() => HIDDEN),
    ].at(-1);
    return last === undefined ? [] : [[name, last] as const];
  });
  return Object.fromEntries(entries);
}

function setCredentials(draft: Draft, http: Http): void {
  const { username, username_file: file, password } = http.basic_auth;
  if (username !== null && password !== null && password !== HIDDEN) setBasicAuth(draft, username, password);
  else if (username !== null || file !== null) addHeaders(draft, { Authorization: HIDDEN });
  const { type, credentials, credentials_file: tokenFile } = http.authorization;
  const token = credentials ?? http.bearer_token;
  if (token === HIDDEN || (token === null && (tokenFile ?? http.bearer_token_file) !== null))
    addHeaders(draft, { Authorization: HIDDEN });
  else if (token !== null) addHeaders(draft, { Authorization: `${type ?? 'Bearer'} ${token}` });
}

function addConditions(draft: Draft, http: Http): void {
  const isSkipped = http.fail_if_header_not_matches.some(({ allow_missing: mayMiss }) => mayMiss === true);
  if (isSkipped) leaveOut(draft, 'a header', 'in Pharos a header that must match cannot be missing');
  const conditions = listConditions(http);
  if (addAssertions(draft, ...conditions)) return;
  for (const each of conditions.slice(0, MAX_ASSERTIONS + 1))
    if (!addAssertions(draft, each))
      leaveOut(draft, each.source === 'body' ? 'the response body' : 'a header', NO_SPACE);
}

function listConditions(http: Http): NewAssertion[] {
  const forbidden = [...http.fail_if_body_matches_regexp, ...http.fail_if_matches_regexp];
  const required = [...http.fail_if_body_not_matches_regexp, ...http.fail_if_not_matches_regexp];
  return [
    ...forbidden.map((target) => ({ source: 'body', comparison: 'notMatches', target }) as const),
    ...required.map((target) => ({ source: 'body', comparison: 'matches', target }) as const),
    // In Pharos, a header that is missing does not match.
    ...http.fail_if_header_matches.flatMap(({ header, regexp, allow_missing: mayMiss }): NewAssertion[] => [
      { source: 'header', property: header, comparison: 'notMatches', target: regexp },
      ...(mayMiss === true ? [] : [{ source: 'header', property: header, comparison: 'exists' } as const]),
    ]),
    ...http.fail_if_header_not_matches.flatMap(
      ({ header, regexp, allow_missing: mayMiss }): NewAssertion[] =>
        mayMiss === true
          ? []
          : [{ source: 'header', property: header, comparison: 'matches', target: regexp }],
    ),
  ];
}

function noteOthers(draft: Draft, http: Http): void {
  const { ca_file: authority, server_name: server } = http.tls_config;
  if (http.fail_if_body_json_matches_cel !== null || http.fail_if_body_json_not_matches_cel !== null)
    leaveOut(draft, 'the JSON of the response', 'Pharos does not evaluate CEL');
  if (http.fail_if_ssl === true) leaveOut(draft, 'TLS', 'Pharos cannot require that there is none');
  if (http.fail_if_not_ssl === true && !/^https:/i.test(draft.body.url ?? ''))
    leaveOut(draft, 'TLS', 'Pharos cannot require that a redirect leads to it');
  if (authority !== null)
    draft.change('The certificate authority is not imported: workers use their own list.');
  if (server !== null) draft.change('The TLS server name is not imported: it is the host of the URL.');
  if (http.proxy_url !== null) draft.change('The proxy is not imported: checks connect directly.');
}
