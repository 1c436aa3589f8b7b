import { storableText } from '@/lib/core/storable-text';
import { startDeadline } from '@/lib/platform/net/deadline';
import { type GuardedResponse, requestGuarded } from '@/lib/platform/net/http-request';
import { NetError } from '@/lib/platform/net/net-error';
import type { ProbeTarget } from '@/lib/schemas/monitor/fields';
import type { ProbeEnvironment } from '../probe-environment';
import { createFailure, createResultOfError, createSuccess } from '../probe-result';
import { PHASES, type Phases, type ProbeResult } from '../result';
import { followRedirect, type Hop, redirectLocation } from './probe-redirect';

const MAX_BODY_BYTES = 1024 * 1024;

/**
 * Checks that an HTTP endpoint responds with the expected status and keyword. Follows redirects where the monitor
 * asks for it, but not from a response that already has the expected status (a monitor that expects 301 means it).
 * `phases` are the sums over all hops, so that they add up to `responseTime`.
 */
export async function probeHttp(target: ProbeTarget, env: ProbeEnvironment): Promise<ProbeResult> {
  const begun = performance.now();
  const phases: Partial<Phases> = {};
  const deadline = startDeadline(target.timeout * 1000, env.signal);
  const seen = new Set<string>();
  let redirects = 0;
  let hop: Hop = firstHop(target, env);
  try {
    for (; ; redirects += 1) {
      seen.add(`${hop.method} ${hop.url}`);
      const response = await request(hop, target, env, deadline.signal);
      addTimings(phases, response.timings);
      const location = wantsRedirect(target, response) ? redirectLocation(response) : null;
      const found = {
        responseTime: performance.now() - begun,
        statusCode: response.statusCode,
        certificateExpiresAt: response.certificateExpiresAt,
        certificateIssuer: response.certificateIssuer,
        bodySize: response.body.length,
        phases,
      };
      if (location === null) return judge(target, hop, response, found);

      const next = followRedirect(hop, response.statusCode, location);
      if (next === null)
        return createFailure('redirect', 'redirected to an address that is not http or https', found);
      if (redirects >= target.maxRedirects) {
        // A server may send a visitor to where it came from, and respond well the second time.
        const isLoop = seen.size <= redirects;
        const limit = target.maxRedirects === 1 ? '1 redirect' : `${target.maxRedirects} redirects`;
        const message = isLoop ? 'redirected in a loop' : `more than ${limit}`;
        return createFailure('redirect', message, found);
      }
      hop = next;
    }
  } catch (error) {
    const progress = error instanceof NetError ? error.progress : null;
    if (progress) addTimings(phases, progress.timings);
    const { statusCode = null, certificateExpiresAt = null, certificateIssuer = null } = progress ?? {};
    const found = { statusCode, certificateExpiresAt, certificateIssuer, phases };
    // The stored target itself is open; that it sends visitors to a closed one is what it does wrong.
    if (error instanceof NetError && error.code === 'blocked' && redirects > 0) {
      return createFailure('blocked', 'redirected to a target that is not allowed', found);
    }
    return createResultOfError(error, found);
  } finally {
    deadline.release();
  }
}

function firstHop({ url, method, headers, body }: ProbeTarget, env: ProbeEnvironment): Hop {
  const own: Record<string, string> = { 'user-agent': env.userAgent, accept: '*/*' };
  for (const [name, value] of Object.entries(headers)) own[name.toLowerCase()] = value;
  return { url, method, headers: own, body };
}

function request(hop: Hop, target: ProbeTarget, env: ProbeEnvironment, signal: AbortSignal) {
  return requestGuarded({
    ...hop,
    policy: env.policy,
    resolver: env.resolver,
    // The limit over all hops is the signal's; this one can only come later.
    deadline: target.timeout * 1000,
    maxBodyBytes: MAX_BODY_BYTES,
    tlsVerify: target.tlsVerify,
    secureContext: env.secureContext,
    signal,
  });
}

function wantsRedirect(target: ProbeTarget, response: GuardedResponse): boolean {
  return target.followRedirects && response.statusCode !== target.expectedStatusCode;
}

function judge(
  target: ProbeTarget,
  hop: Hop,
  response: GuardedResponse,
  found: { statusCode: number },
): ProbeResult {
  if (response.statusCode !== target.expectedStatusCode) {
    const message = `answered ${response.statusCode}, expected ${target.expectedStatusCode}`;
    return createFailure('status', message, found);
  }
  if (target.keyword === null || target.keyword === '') return createSuccess(found);
  if (hop.method === 'HEAD')
    return createFailure('keyword', 'a response to HEAD has no body to search', found);
  if (containsKeyword(response, target.keyword)) return createSuccess(found);
  const short = storableText(target.keyword, 100);
  const encoding = response.headers['content-encoding'];
  const where = response.truncated ? 'the first 1 MiB of the body does' : 'the body does';
  const why = encoding && encoding !== 'identity' ? ` (it is compressed: ${encoding})` : '';
  return createFailure('keyword', `${where} not contain “${short}”${why}`, found);
}

/** Whether a body contains a text, read in the character set that the response names (UTF-8 unless it names one). */
function containsKeyword(response: Pick<GuardedResponse, 'headers' | 'body'>, keyword: string): boolean {
  if (response.body.includes(keyword, 0, 'utf8')) return true;
  const charset = /charset\s*=\s*"?([^\s;"]+)/i.exec(response.headers['content-type'] ?? '')?.[1];
  if (charset === undefined || /^utf-?8$/i.test(charset)) return false;
  try {
    return new TextDecoder(charset).decode(response.body).includes(keyword);
  } catch {
    return false; // A character set that nobody knows: the bytes were searched already.
  }
}

function addTimings(sums: Partial<Phases>, timings: Phases): void {
  for (const { key } of PHASES) {
    const ms = timings[key];
    if (ms !== null) sums[key] = (sums[key] ?? 0) + ms;
  }
}
