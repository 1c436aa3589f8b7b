import { storableText } from '@/lib/core/storable-text';
import { type StopSignal, startDeadline } from '@/lib/platform/net/deadline';
import { type ExchangeOptions, type GuardedResponse, sendGuarded } from '@/lib/platform/net/http-request';
import { type ExchangeProgress, NetError } from '@/lib/platform/net/net-error';
import { PreparedRequest } from '@/lib/platform/net/prepared-request';
import type { ProbeTarget } from '@/lib/schemas/monitor/fields';
import { firstOf } from '../evidence';
import type { ProbeEnvironment } from '../probe-environment';
import {
  createFailure,
  createJudgedResult,
  createResultOfError,
  wantsEvidence,
  withRemark,
} from '../probe-result';
import { PHASES, type Phases, type ProbeResult } from '../result';
import {
  decodeBody,
  endOf,
  eventsUntil,
  expectsStatus,
  hasStatusAssertion,
  observe,
} from './probe-assertions';
import { CheckCookies } from './probe-cookies';
import { type Redirect, showExchange } from './probe-evidence';
import { followRedirect, formatLosses, type Hop, redirectLocation } from './probe-redirect';

const MAX_BODY_BYTES = 1024 * 1024;
const MAX_KEPT_LOCATION = 500;

/**
 * Checks that an HTTP endpoint returns the expected status and keyword, and that all assertions hold. Follows redirects if the
 * monitor enables them, but not from a response that already has the expected status (a monitor expecting 301 means it). `phases` are sums over all hops, so they add up to `responseTime`.
 */
export async function probeHttp(target: ProbeTarget, env: ProbeEnvironment): Promise<ProbeResult> {
  let begun = performance.now();
  const deadline = startDeadline(target.timeout * 1000, env.signal);
  const course = new Course();
  const { left, phases } = course;
  let cookies: CheckCookies | null = null;
  try {
    const options = chooseOptions(target, env, deadline.signal);
    let step = firstStep(target, env);
    for (;;) {
      const response = await sendGuarded(step.request, options);
      course.add(response.progress);
      const location = wantsRedirect(target, response) ? redirectLocation(response) : null;
      const found = {
        // One without end took as long as its headers.
        responseTime:
          (response.endless === null ? performance.now() : (response.progress.headAt ?? begun)) - begun,
        statusCode: response.statusCode,
        bodySize: response.body.length,
        phases,
        address: response.progress.remoteAddress,
        ...course.certificate,
      };
      if (location === null) {
        const judged = judge(target, env, step.request.method, response, found);
        return show(remarkLosses(judged, left, step.hop), env, course);
      }
      const hop = step.hop ?? firstHop(target, env);
      if (response.setCookies.length > 0) {
        const loading = performance.now();
        cookies ??= await CheckCookies.create();
        begun += performance.now() - loading;
        cookies.keep(hop.url, response.setCookies);
      }
      const next = followStep(step, hop, { statusCode: response.statusCode, location, cookies });
      if (next === null) {
        const failure = createFailure('redirect', 'redirected to a URL that is not http or https', found);
        return show(failure, env, course);
      }
      left.push({ hop, statusCode: response.statusCode, location: next.hop?.url ?? location });
      if (left.length > target.maxRedirects) {
        // A server may redirect back to the same URL once and then respond normally, so only the limit ends
        // the chain.
        const isLoop = new Set(left.map(({ hop: { method, url } }) => `${method} ${url}`)).size < left.length;
        const loop = cookies === null ? 'redirect loop' : 'redirect loop, although cookies were kept';
        const message = isLoop ? loop : `too many redirects (limit: ${target.maxRedirects})`;
        return show(createFailure('redirect', message, found), env, course);
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
function show(result: ProbeResult, env: ProbeEnvironment, { left, last }: Course): ProbeResult {
  if (wantsEvidence(result, env)) result.evidence = showExchange(left, last);
  return result;
}

function firstHop({ url, method, headers, body }: ProbeTarget, { userAgent }: ProbeEnvironment): Hop {
  const own: Record<string, string> = { 'user-agent': userAgent, accept: '*/*' };
  for (const [name, value] of Object.entries(headers)) own[name.toLowerCase()] = value;
  return { url, method, headers: own, body };
}

/** A request of a check, and the redirect that was last followed from it. */
type Step = {
  /** Null for the first request of a target: it follows from that, and there is one per monitor. */
  hop: Hop | null;
  request: PreparedRequest;
  redirect: { statusCode: number; location: string; next: Step } | null;
};

/** Prepared for the first check of each target. */
const firstSteps = new WeakMap<ProbeTarget, Step & { userAgent: string }>();

function firstStep(target: ProbeTarget, env: ProbeEnvironment): Step {
  const { userAgent } = env;
  const known = firstSteps.get(target);
  if (known?.userAgent === userAgent) return known;
  const request = new PreparedRequest(firstHop(target, env));
  const step = { hop: null, request, redirect: null, userAgent };
  firstSteps.set(target, step);
  return step;
}

type Following = { statusCode: number; location: string; cookies: CheckCookies | null };

/** The request that follows a redirect of `hop`, as last time if it is the same; null when the location is not an http(s) URL. */
function followStep(step: Step, hop: Hop, { statusCode, location, cookies }: Following): Step | null {
  const last = step.redirect;
  if (cookies === null && last?.location === location && last.statusCode === statusCode) return last.next;
  const nextHop = followRedirect(hop, statusCode, location);
  if (nextHop === null) return null;
  if (cookies !== null) {
    const cookie = cookies.headerFor(nextHop.url, nextHop.headers.cookie);
    const headers = cookie === null ? nextHop.headers : { ...nextHop.headers, cookie };
    return { hop: nextHop, request: new PreparedRequest({ ...nextHop, headers }), redirect: null };
  }
  const next: Step = { hop: nextHop, request: new PreparedRequest(nextHop), redirect: null };
  // The target chooses the location: a long one is not kept.
  step.redirect = location.length <= MAX_KEPT_LOCATION ? { statusCode, location, next } : null;
  return next;
}

/** A failure after redirects, with what they took from the request. */
function remarkLosses(result: ProbeResult, [first]: readonly Left[], last: Hop | null): ProbeResult {
  if (first === undefined || last === null || result.outcome !== 'failed') return result;
  const losses = formatLosses(first.hop, last);
  return losses === null ? result : withRemark(result, losses);
}

function chooseOptions(target: ProbeTarget, env: ProbeEnvironment, signal: StopSignal): ExchangeOptions {
  const { policy, resolver, secureContext } = env;
  return {
    ...{ policy, resolver, secureContext, signal },
    // The signal enforces the limit over all hops.
    deadline: null,
    maxBodyBytes: MAX_BODY_BYTES,
    tlsVerify: target.tlsVerify,
    eventsUntil: eventsUntil(target, env),
  };
}

function wantsRedirect(target: ProbeTarget, response: GuardedResponse): boolean {
  return target.followRedirects && !expectsStatus(target, response.statusCode);
}

function judge(
  target: ProbeTarget,
  env: ProbeEnvironment,
  method: string,
  response: GuardedResponse,
  found: { statusCode: number; responseTime: number; certificateExpiresAt: Date | null },
): ProbeResult {
  const judged = createJudgedResult(target, env, found, () => observe(target, env, response, found));
  if (response.statusCode !== target.expectedStatusCode && !hasStatusAssertion(target)) {
    const message = `responded with ${response.statusCode}, expected ${target.expectedStatusCode}`;
    return createFailure('status', message, found);
  }
  if (judged.outcome !== 'ok' || target.keyword === null || target.keyword === '') return judged;
  if (method === 'HEAD')
    return createFailure('keyword', 'HEAD responses have no body to search for a keyword', found);
  if (containsKeyword(response, target.keyword)) return judged;
  const short = storableText(target.keyword, 100);
  const encoding = response.headers['content-encoding'];
  const end = endOf(response);
  const where = `the ${end === null ? '' : `first ${end} of the `}response body does`;
  const why = encoding && encoding !== 'identity' ? ` (body is compressed: ${encoding})` : '';
  return createFailure('keyword', `${where} not contain “${short}”${why}`, found);
}

/** Whether the body contains the keyword, decoded with the charset of the response (UTF-8 by default). */
function containsKeyword(response: Pick<GuardedResponse, 'headers' | 'body'>, keyword: string): boolean {
  if (response.body.includes(keyword, 0, 'utf8')) return true;
  return decodeBody(response)?.includes(keyword) ?? false;
}

function addTimings(sums: Partial<Phases>, timings: Phases): void {
  for (const { key } of PHASES) {
    const ms = timings[key];
    if (ms !== null) sums[key] = (sums[key] ?? 0) + ms;
  }
}
