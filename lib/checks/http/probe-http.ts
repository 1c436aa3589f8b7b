import type { SecureContext } from 'node:tls';
import { memoizeByObject } from '@/lib/core/calls/memoize';
import { parseUrl } from '@/lib/core/parse-url';
import { storableText } from '@/lib/core/storable-text';
import { type StopSignal, startDeadline } from '@/lib/platform/net/deadline';
import type { HttpHead } from '@/lib/platform/net/http-parser';
import { type ExchangeOptions, type GuardedResponse, sendGuarded } from '@/lib/platform/net/http-request';
import { type ExchangeProgress, NetError } from '@/lib/platform/net/net-error';
import { PreparedRequest } from '@/lib/platform/net/prepared-request';
import { createClientContext } from '@/lib/platform/net/tls';
import type { ProbeTarget } from '@/lib/schemas/monitor/fields';
import { placeToConnect } from '@/lib/schemas/monitor/fields/connection-conflicts';
import { firstOf } from '../evidence';
import type { ProbeEnvironment } from '../probe-environment';
import { familyOf } from '../probe-families';
import {
  createFailure,
  createJudgedResult,
  createResultOfError,
  wantsEvidence,
  withRemark,
} from '../probe-result';
import { PHASES, type Phases, type ProbeResult } from '../result';
import { decodeText } from './decode-text';
import { eventsUntil, expectsStatus, hasStatusAssertion, isBodyRead, observe } from './probe-assertions';
import { fixedAuthorization, isNegotiated, sendNegotiated } from './probe-authentication';
import { asReceived, codingsOf, decompress, MAX_BODY_BYTES, type ReadBody } from './probe-compression';
import { CheckCookies } from './probe-cookies';
import { type Redirect, showExchange } from './probe-evidence';
import { followRedirect, formatLosses, type Hop, redirectLocation } from './probe-redirect';

const MAX_KEPT_LOCATION = 500;

/**
 * Checks that an HTTP endpoint returns the expected status and keyword, and that all assertions hold. Follows redirects if the
 * monitor enables them, but not from a response that already has the expected status (a monitor expecting 301 means it). `phases` are sums over all hops, so they add up to `responseTime`.
 */
export async function probeHttp(target: ProbeTarget, env: ProbeEnvironment): Promise<ProbeResult> {
  const begun = performance.now();
  const deadline = startDeadline(target.timeout * 1000, env.signal);
  const course = new Course();
  const { left, phases } = course;
  let cookies: CheckCookies | null = null;
  try {
    const options = chooseOptions(target, env, deadline.signal);
    let step = firstStep(target, env);
    for (;;) {
      const response = await send(step, target, env, { options, course, signal: deadline.signal });
      course.add(response.progress);
      const location = nextLocation(target, response);
      // One without end took as long as its headers.
      const ended = response.endless === null ? performance.now() : (response.progress.headAt ?? begun);
      const found = {
        responseTime: ended - begun - course.tokenMs,
        statusCode: response.statusCode,
        bodySize: response.body.length,
        phases,
        address: response.progress.remoteAddress,
        ...course.certificate,
      };
      if (location === null) {
        const codings = listCodings(target, env, response);
        if (codings !== null) course.body = await decompress(response, codings, env.signal);
        const body = course.body ?? asReceived(response);
        const judged = judge(target, env, step.request.method, response, body, found);
        return show(remarkLosses(judged, left, step, target), env, course);
      }
      const hop = step.hop ?? firstHop(target, env);
      if (response.setCookies.length > 0) {
        cookies ??= new CheckCookies();
        cookies.keep(hop.url, response.setCookies);
      }
      const next = followStep(step, hop, {
        statusCode: response.statusCode,
        location,
        cookies,
        isBound: isBound(target),
      });
      if (next === null) {
        const isValid = parseUrl(location, hop.url) !== null;
        const where = isValid ? 'a URL that is not http or https' : 'a URL that is not valid';
        const failure = createFailure('redirect', `redirected to ${where}`, found);
        return show(failure, env, course);
      }
      left.push({ hop, statusCode: response.statusCode, location: next.hop?.url ?? location });
      if (left.length > target.maxRedirects) {
        return show(createFailure('redirect', formatExcess(left, target, cookies), found), env, course);
      }
      step = next;
    }
  } catch (error) {
    const progress = error instanceof NetError ? error.progress : null;
    if (progress) course.add(progress);
    const address = progress?.remoteAddress ?? firstOf(progress?.addresses ?? null);
    const found = { statusCode: progress?.statusCode ?? null, phases, address, ...course.certificate };
    // The stored target is allowed; redirecting to a blocked one is a failure of the target.
    if (error instanceof NetError && error.code === 'blocked' && left.length > 0) {
      const failure = createFailure('blocked', 'redirected to a target that is not allowed', found);
      return show(failure, env, course);
    }
    return show(createResultOfError(error, found), env, course);
  } finally {
    deadline.release();
  }
}

type Left = Redirect & { hop: Hop };

/** A server may redirect back to the same URL once and then respond normally, so only the limit ends a chain of redirects. */
function formatExcess(
  left: readonly Left[],
  { maxRedirects }: ProbeTarget,
  cookies: CheckCookies | null,
): string {
  const isLoop = new Set(left.map(({ hop: { method, url } }) => `${method} ${url}`)).size < left.length;
  if (!isLoop) return `too many redirects (limit: ${maxRedirects})`;
  return cookies?.isEmpty === false ? 'redirect loop, although cookies were kept' : 'redirect loop';
}

const NO_CERTIFICATE: Pick<ProbeResult, 'certificateExpiresAt' | 'certificateIssuer' | 'certificateName'> = {
  certificateExpiresAt: null,
  certificateIssuer: null,
  certificateName: null,
};

/** What the exchanges of a check have seen so far. */
class Course {
  /** The requests that were redirected. */
  readonly left: Left[] = [];
  readonly phases: Partial<Phases> = {};
  last: ExchangeProgress | null = null;
  /** Milliseconds that a token took: it is requested once for many checks. */
  tokenMs = 0;
  /** Of the last response, if it was decompressed. */
  body: ReadBody | null = null;
  /** That which ends first. */
  certificate = NO_CERTIFICATE;

  add(progress: ExchangeProgress): void {
    this.last = progress;
    addTimings(this.phases, progress.timings);
    const { certificateEnd: end, certificate } = progress;
    const { certificateExpiresAt: before } = this.certificate;
    if (end === null || certificate === null || (before !== null && before <= end.expiresAt)) return;
    const [first] = this.left;
    const isOwn = first === undefined || new URL(first.hop.url).hostname === bracketed(certificate.host);
    const name = isOwn ? end.name : `${end.name ?? 'certificate'} of ${certificate.host}`;
    this.certificate = {
      certificateExpiresAt: end.expiresAt,
      certificateIssuer: end.issuer,
      certificateName: name,
    };
  }
}

const bracketed = (host: string) => (host.includes(':') ? `[${host}]` : host);

/** The result, with what led to it if that is asked for. */
function show(result: ProbeResult, env: ProbeEnvironment, { left, last, body }: Course): ProbeResult {
  if (wantsEvidence(result, env)) result.evidence = showExchange(left, last, body);
  return result;
}

const isBound = ({ authentication }: ProbeTarget) => authentication !== null;

type Sending = { options: ExchangeOptions; course: Course; signal: StopSignal };

type ClientContext = { trust: SecureContext | undefined; context: SecureContext };

/** What presents the client certificate of a target, created for its first check. */
const clientContexts = new WeakMap<ProbeTarget, ClientContext>();

function readClientContext(
  target: ProbeTarget,
  { secureContext: trust }: ProbeEnvironment,
): SecureContext | undefined {
  const { clientCertificate } = target;
  if (clientCertificate === null) return undefined;
  const known = clientContexts.get(target);
  if (known && known.trust === trust) return known.context;
  const context = createClientContext(clientCertificate, trust);
  clientContexts.set(target, { trust, context });
  return context;
}

/** The options for the origin of the target, without what is meant for that only. */
function withoutOwn(options: ExchangeOptions): ExchangeOptions {
  return options.clientContext === undefined ? options : { ...options, clientContext: undefined };
}

/** Sends the request of a step, with the credentials of the monitor if it is one of its own. */
function send(
  { hop, request, isOwn }: Step,
  target: ProbeTarget,
  env: ProbeEnvironment,
  { options: general, course, signal }: Sending,
): Promise<GuardedResponse> {
  const { authentication } = target;
  const options = placed(isOwn ? general : withoutOwn(general), target, request);
  if (!isOwn || !isNegotiated(authentication)) return sendGuarded(request, options);
  return sendNegotiated(hop ?? firstHop(target, env), request, authentication, {
    env,
    options,
    signal,
    expects401: expectsStatus(target, 401),
    onExchange: (progress) => course.add(progress),
    onToken: (ms) => {
      course.tokenMs += ms;
    },
  });
}

function firstHop(
  { url, method, headers, body, authentication }: ProbeTarget,
  { userAgent }: ProbeEnvironment,
): Hop {
  const own: Record<string, string> = { 'user-agent': userAgent, accept: '*/*' };
  for (const [name, value] of Object.entries(headers)) own[name.toLowerCase()] = value;
  const authorization = fixedAuthorization(authentication);
  if (authorization !== null) own.authorization = authorization;
  return { url, method, headers: own, body };
}

/** A request of a check, and the redirect that was last followed from it. */
type Step = {
  /** Null for the first request of a target: it follows from that, and there is one per monitor. */
  hop: Hop | null;
  request: PreparedRequest;
  /** Whether it is sent to the origin of the target, as all before it were: only then with its credentials. */
  isOwn: boolean;
  redirect: { statusCode: number; location: string; next: Step } | null;
};

/** Prepared for the first check of each target. */
const firstSteps = new WeakMap<ProbeTarget, Step & { userAgent: string }>();

function firstStep(target: ProbeTarget, env: ProbeEnvironment): Step {
  const { userAgent } = env;
  const known = firstSteps.get(target);
  if (known?.userAgent === userAgent) return known;
  const request = new PreparedRequest(firstHop(target, env));
  const step = { hop: null, request, isOwn: true, redirect: null, userAgent };
  firstSteps.set(target, step);
  return step;
}

type Following = {
  statusCode: number;
  location: string;
  cookies: CheckCookies | null;
  /** Whether the monitor has credentials of its own, which no other origin receives. */
  isBound: boolean;
};

/** The request that follows a redirect of `hop`, as last time if it is the same; null when the location is not an http(s) URL. */
function followStep(
  step: Step,
  hop: Hop,
  { statusCode, location, cookies, isBound }: Following,
): Step | null {
  const last = step.redirect;
  if (cookies === null && last?.location === location && last.statusCode === statusCode) return last.next;
  const nextHop = followRedirect(hop, statusCode, location);
  if (nextHop === null) return null;
  const isOwn = step.isOwn && new URL(nextHop.url).origin === new URL(hop.url).origin;
  if (isBound && !isOwn) delete nextHop.headers.authorization;
  if (cookies !== null) {
    const cookie = cookies.headerFor(nextHop.url, nextHop.headers.cookie);
    const headers = cookie === null ? nextHop.headers : { ...nextHop.headers, cookie };
    return { hop: nextHop, request: new PreparedRequest({ ...nextHop, headers }), isOwn, redirect: null };
  }
  const next: Step = { hop: nextHop, request: new PreparedRequest(nextHop), isOwn, redirect: null };
  // The target chooses the location: a long one is not kept.
  step.redirect = location.length <= MAX_KEPT_LOCATION ? { statusCode, location, next } : null;
  return next;
}

/** A failure after redirects, with what they took from the request. */
function remarkLosses(
  result: ProbeResult,
  [first]: readonly Left[],
  { hop, isOwn }: Step,
  target: ProbeTarget,
): ProbeResult {
  if (first === undefined || hop === null || result.outcome !== 'failed') return result;
  const losses = formatLosses(first.hop, hop, isBound(target) && !isOwn);
  return losses === null ? result : withRemark(result, losses);
}

function chooseOptions(target: ProbeTarget, env: ProbeEnvironment, signal: StopSignal): ExchangeOptions {
  const { policy, resolver, secureContext } = env;
  return {
    policy,
    resolver,
    family: familyOf(target),
    secureContext,
    clientContext: readClientContext(target, env),
    signal,
    // The signal enforces the limit over all hops.
    deadline: null,
    maxBodyBytes: MAX_BODY_BYTES,
    tlsVerify: target.tlsVerify,
    eventsUntil: eventsUntil(target, env),
    // As browsers do: the body of a redirect need not end, nor be complete.
    endsWithHead: target.followRedirects
      ? (parser) => !parser.isSuccess && parser.head !== null && nextLocation(target, parser.head) !== null
      : undefined,
  };
}

/** The options for a request of a check, which goes to the configured place if it is for the host of the target. */
function placed(
  options: ExchangeOptions,
  target: ProbeTarget,
  { host, port }: PreparedRequest,
): ExchangeOptions {
  const own = target.connectTo === null ? null : readPlace(target);
  if (own === null || own.url.hostname !== host) return options;
  // A port is in place of the one of the URL, and not of those that the same host redirects to.
  const isSamePort = port === own.port;
  return { ...options, connectTo: { host: own.host, port: isSamePort ? (own.connectPort ?? port) : port } };
}

const readPlace = memoizeByObject((target: ProbeTarget) => {
  const place = placeToConnect(target);
  const url = parseUrl(target.url);
  if (place === null || url === null) return null;
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
  return { url, port, host: place.host, connectPort: place.port };
});

/** Where a response leads; null if it is the last one. */
function nextLocation(target: ProbeTarget, response: HttpHead): string | null {
  const isFollowed = target.followRedirects && !expectsStatus(target, response.statusCode);
  return isFollowed ? redirectLocation(response) : null;
}

/** How the body of a response is compressed, if it matters as text; otherwise null. */
function listCodings(target: ProbeTarget, env: ProbeEnvironment, response: GuardedResponse): string[] | null {
  const isShown = env.evidenceOf !== undefined && !expectsStatus(target, response.statusCode);
  if (!isShown && !target.keyword && !isBodyRead(target, env)) return null;
  const codings = response.body.length === 0 ? [] : codingsOf(response.contentEncoding);
  return codings.length === 0 ? null : codings;
}

function judge(
  target: ProbeTarget,
  env: ProbeEnvironment,
  method: string,
  response: GuardedResponse,
  body: ReadBody,
  found: { statusCode: number; responseTime: number; certificateExpiresAt: Date | null },
): ProbeResult {
  const judged = createJudgedResult(target, env, found, () => observe(target, env, response, body, found));
  if (response.statusCode !== target.expectedStatusCode && !hasStatusAssertion(target)) {
    const message = `responded with ${response.statusCode}, expected ${target.expectedStatusCode}`;
    return createFailure('status', message, found);
  }
  if (judged.outcome !== 'ok' || target.keyword === null || target.keyword === '') return judged;
  if (method === 'HEAD')
    return createFailure('keyword', 'HEAD responses have no body to search for a keyword', found);
  if (containsKeyword(response, body, target.keyword)) return judged;
  const short = storableText(target.keyword, 100);
  const { end, unread } = body;
  const message =
    end === null && unread !== null
      ? `the response body could not be searched for “${short}”: ${unread}`
      : `the ${end === null ? '' : `first ${end} of the `}response body does not contain “${short}”`;
  return createFailure('keyword', message, found);
}

/** Whether the body contains the keyword. Most are UTF-8, where that needs no text. */
function containsKeyword({ headers }: GuardedResponse, { bytes }: ReadBody, keyword: string): boolean {
  if (bytes.includes(keyword, 0, 'utf8')) return true;
  return decodeText(bytes, headers['content-type']).includes(keyword);
}

function addTimings(sums: Partial<Phases>, timings: Phases): void {
  for (const { key } of PHASES) {
    const ms = timings[key];
    if (ms !== null) sums[key] = (sums[key] ?? 0) + ms;
  }
}
