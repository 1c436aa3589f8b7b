import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { memoizeByObject } from '@/lib/core/calls/memoize';
import { parseJson } from '@/lib/core/parse-json';
import type { StopSignal } from '@/lib/platform/net/deadline';
import { type GuardedResponse, requestGuarded } from '@/lib/platform/net/http-request';
import { NetError } from '@/lib/platform/net/net-error';
import type { Authentication } from '@/lib/schemas/monitor/authentication-parts';
import type { ProbeEnvironment } from '../probe-environment';

export type OauthClient = Extract<Authentication, { method: 'oauth2' }>;

/** How the client proves who it is: in the `Authorization` header, as every token endpoint must accept (RFC 6749, section 2.3.1), or in the body. */
type Style = 'header' | 'body';

type Known = { token: string; expiresAt: number; style: Style };

/** Longer responses of token endpoints are refused. */
const MAX_BYTES = 64 * 1024;
const MAX_TOKEN = 16 * 1024;
/** Clients, each with one token. */
const MAX_KNOWN = 1000;
/** A token is not used in its last seconds: it would expire on its way. */
const MARGIN_MS = 10_000;
/** For a token whose endpoint does not say when it expires. */
const UNSTATED_MS = 300_000;
const MAX_AGE_MS = 86_400_000;

/** The tokens of this process, which are stored nowhere else. */
const known = new LRUCache<string, Known>({ max: MAX_KNOWN });

/** A client by its credentials, without containing them. */
const keyOf = memoizeByObject(({ tokenUrl, clientId, clientSecret, scope }: OauthClient) =>
  createHash('sha256')
    .update(JSON.stringify([tokenUrl, clientId, clientSecret, scope]))
    .digest('base64'),
);

/** The token of a client that has not expired; null if a new one is required. */
export function findToken(client: OauthClient): string | null {
  const found = known.get(keyOf(client));
  return found && found.expiresAt > Date.now() ? found.token : null;
}

/**
 * Requests a token for client credentials, and keeps it in memory until it expires. The certificate of a token endpoint must be valid, whatever
 * the monitor permits for its target. Throws a `NetError` that names the token endpoint, or the signal's reason.
 */
export async function requestToken(
  client: OauthClient,
  env: ProbeEnvironment,
  signal: StopSignal,
): Promise<string> {
  const key = keyOf(client);
  const style = known.get(key)?.style ?? 'header';
  let received = await send(client, style, env, signal);
  let used = style;
  if (isRefused(received)) {
    // Some endpoints accept only the one, some only the other.
    used = style === 'header' ? 'body' : 'header';
    const second = await send(client, used, env, signal);
    if (!isRefused(second)) received = second;
  }
  const { token, lifetimeMs } = readToken(received);
  known.set(key, { token, expiresAt: Date.now() + lifetimeMs - MARGIN_MS, style: used });
  return token;
}

function isRefused({ statusCode }: GuardedResponse): boolean {
  return statusCode === 400 || statusCode === 401;
}

async function send(
  { tokenUrl, clientId, clientSecret, scope }: OauthClient,
  style: Style,
  { policy, resolver, secureContext, userAgent }: ProbeEnvironment,
  signal: StopSignal,
): Promise<GuardedResponse> {
  const form = new URLSearchParams({ grant_type: 'client_credentials' });
  if (scope !== null) form.set('scope', scope);
  const headers: Record<string, string> = {
    'user-agent': userAgent,
    accept: 'application/json',
    'content-type': 'application/x-www-form-urlencoded',
  };
  if (style === 'header') {
    const pair = [clientId, clientSecret].map(encodeURIComponent).join(':');
    headers.authorization = `Basic ${Buffer.from(pair).toString('base64')}`;
  } else {
    form.set('client_id', clientId);
    form.set('client_secret', clientSecret);
  }
  const message = { url: tokenUrl, method: 'POST', headers, body: form.toString() };
  const options = { policy, resolver, secureContext, signal, deadline: null, maxBodyBytes: MAX_BYTES };
  try {
    return await requestGuarded({ ...message, ...options });
  } catch (error) {
    if (!(error instanceof NetError)) throw error;
    // Without its progress, which is not that of the target.
    throw new NetError(error.code, `token endpoint: ${error.message}`, { cause: error.cause });
  }
}

/** The codes of RFC 6749, section 5.2: other text of an endpoint is not shown. */
const CODES: ReadonlySet<unknown> = new Set([
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'unauthorized_client',
  'unsupported_grant_type',
  'invalid_scope',
]);

function readToken(response: GuardedResponse): { token: string; lifetimeMs: number } {
  const { statusCode, truncated } = response;
  const body = readObject(response);
  if (statusCode !== 200) {
    const code = CODES.has(body.error) ? ` (${String(body.error)})` : '';
    throw new NetError('status', `the token endpoint responded with ${statusCode}${code}`);
  }
  const { access_token: token, token_type: type = 'bearer', expires_in: seconds } = body;
  if (truncated || typeof token !== 'string' || token.length > MAX_TOKEN || !/^[\x21-\x7e]+$/.test(token))
    throw new NetError('protocol', 'the token endpoint responded without an access token');
  if (String(type).toLowerCase() !== 'bearer')
    throw new NetError('protocol', 'the token endpoint responded with a token that is not a bearer token');
  const stated = Number(seconds) * 1000;
  return { token, lifetimeMs: stated > 0 ? Math.min(stated, MAX_AGE_MS) : UNSTATED_MS };
}

function readObject({ body }: GuardedResponse): Record<string, unknown> {
  try {
    return Object(parseJson(body.toString('utf8')));
  } catch {
    return {};
  }
}
