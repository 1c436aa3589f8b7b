import type { StopSignal } from '@/lib/platform/net/deadline';
import { type ExchangeOptions, type GuardedResponse, sendGuarded } from '@/lib/platform/net/http-request';
import { type ExchangeProgress, NetError } from '@/lib/platform/net/net-error';
import { PreparedRequest } from '@/lib/platform/net/prepared-request';
import type { Authentication } from '@/lib/schemas/monitor/authentication-parts';
import type { ProbeEnvironment } from '../probe-environment';
import { answerChallenge, pickChallenge } from './digest';
import { findToken, type OauthClient, requestToken } from './probe-oauth-token';
import type { Hop } from './probe-redirect';

/** The `Authorization` header of credentials that are the same in every request; null for those that depend on a server. */
export function fixedAuthorization(authentication: Authentication | null): string | null {
  if (authentication?.method === 'bearer') return `Bearer ${authentication.token}`;
  if (authentication?.method !== 'basic') return null;
  const { username, password } = authentication;
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

/** Credentials that require more than one request. */
export type Negotiated = Exclude<Authentication, { method: 'basic' | 'bearer' }>;

/** Whether credentials require more than one request. */
export function isNegotiated(authentication: Authentication | null): authentication is Negotiated {
  return authentication?.method === 'digest' || authentication?.method === 'oauth2';
}

type Sending = {
  env: ProbeEnvironment;
  options: ExchangeOptions;
  signal: StopSignal;
  /** Whether a 401 is what the monitor expects. */
  expects401: boolean;
  /** Called with an exchange that another one follows. */
  onExchange(progress: ExchangeProgress): void;
  /** Called with the milliseconds that a token took, which are not those of the target. */
  onToken(ms: number): void;
};

/**
 * Sends a request with credentials that require more than one: it is repeated at most once, in response to a 401. Throws a `NetError`: of code
 * `status` if the credentials are not accepted, and with a message that names the token endpoint if that fails.
 */
export function sendNegotiated(
  hop: Hop,
  request: PreparedRequest,
  authentication: Negotiated,
  sending: Sending,
): Promise<GuardedResponse> {
  return authentication.method === 'digest'
    ? sendWithDigest(hop, request, authentication, sending)
    : sendWithToken(hop, authentication, sending);
}

async function sendWithDigest(
  hop: Hop,
  request: PreparedRequest,
  { username, password }: { username: string; password: string },
  { options, expects401, onExchange }: Sending,
): Promise<GuardedResponse> {
  const first = await sendGuarded(request, options);
  if (first.statusCode !== 401) return first;
  const challenge = pickChallenge(first.headers['www-authenticate'] ?? '');
  if ('problem' in challenge) {
    if (expects401) return first;
    throw refused(first, `responded with 401, and ${challenge.problem}`);
  }
  onExchange(first.progress);
  const { pathname, search } = new URL(hop.url);
  const authorized = answerChallenge(challenge, {
    method: hop.method,
    path: pathname + search,
    username,
    password,
  });
  const second = await sendGuarded(withAuthorization(hop, authorized), options);
  if (second.statusCode !== 401 || expects401) return second;
  throw refused(second, 'responded with 401: the user name or password was not accepted');
}

async function sendWithToken(
  hop: Hop,
  client: OauthClient,
  { env, options, signal, expects401, onExchange, onToken }: Sending,
): Promise<GuardedResponse> {
  const renew = async () => {
    const begun = performance.now();
    try {
      return await requestToken(client, env, signal);
    } finally {
      onToken(performance.now() - begun);
    }
  };
  const found = findToken(client);
  const first = await sendGuarded(withAuthorization(hop, `Bearer ${found ?? (await renew())}`), options);
  // A new token would not be accepted either.
  if (first.statusCode !== 401 || found === null || expects401) return first;
  onExchange(first.progress);
  return sendGuarded(withAuthorization(hop, `Bearer ${await renew()}`), options);
}

function withAuthorization(hop: Hop, authorization: string): PreparedRequest {
  return new PreparedRequest({ ...hop, headers: { ...hop.headers, authorization } });
}

function refused({ progress }: GuardedResponse, message: string): NetError {
  const error = new NetError('status', message);
  error.progress = progress;
  return error;
}
