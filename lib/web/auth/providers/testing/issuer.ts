import { createHash, generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { type HttpListener, listenLocally } from '@/lib/testing/http-listener';

type Json = Record<string, unknown>;

/** What an issuer does differently from what it should. */
export type Misconduct = {
  /** Changes its metadata. */
  metadata?: Json;
  /** Changes the claims of the ID token. */
  claims?: Json;
  /** Signs with another key than it publishes. */
  hasForeignKey?: boolean;
  /** What its user info says, apart from the subject of the ID token. */
  userinfo?: Json;
  /** Responds to requests for this path with a status, never, or without end. */
  outage?: { path: string; as: number | 'silence' | 'flood' };
};

/** An OpenID Connect issuer on this machine that can misbehave; its authorization endpoint agrees to everything. */
export type Issuer = HttpListener & {
  behave(misconduct?: Misconduct): void;
  /** What its page would do: the address to which it sends the browser back. */
  authorize(request: URL): URL;
  /** The paths that were requested. */
  requests: string[];
};

const encode = (value: Json) => Buffer.from(JSON.stringify(value)).toString('base64url');

const createKey = () => generateKeyPairSync('rsa', { modulusLength: 2048 });

/** Starts one on 127.0.0.1. */
export async function startIssuer(clientId: string): Promise<Issuer> {
  const [key, foreignKey] = [createKey(), createKey()];
  const grants = new Map<string, { nonce: string | null; challenge: string | null }>();
  const requests: string[] = [];
  let misconduct: Misconduct = {};
  let url = '';

  const createIdToken = (nonce: string | null) => {
    const now = Math.floor(Date.now() / 1000);
    const claims = {
      iss: url,
      sub: 'ada',
      aud: clientId,
      iat: now,
      exp: now + 3600,
      nonce,
      ...misconduct.claims,
    };
    const content = `${encode({ alg: 'RS256', kid: 'k' })}.${encode(claims)}`;
    const { privateKey } = misconduct.hasForeignKey ? foreignKey : key;
    return `${content}.${sign('RSA-SHA256', Buffer.from(content), privateKey).toString('base64url')}`;
  };

  const exchange = (form: URLSearchParams): Json | null => {
    const code = form.get('code') ?? '';
    const grant = grants.get(code);
    grants.delete(code);
    const verifier = form.get('code_verifier') ?? '';
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    if (!grant || grant.challenge !== challenge) return null;
    return { access_token: 'at', token_type: 'Bearer', id_token: createIdToken(grant.nonce) };
  };

  const respond = (path: string, body: string): Json | null => {
    switch (path) {
      case '/.well-known/openid-configuration':
        return {
          issuer: url,
          authorization_endpoint: `${url}/authorize`,
          token_endpoint: `${url}/token`,
          userinfo_endpoint: `${url}/userinfo`,
          jwks_uri: `${url}/jwks`,
          id_token_signing_alg_values_supported: ['RS256'],
          ...misconduct.metadata,
        };
      case '/jwks':
        return { keys: [{ ...key.publicKey.export({ format: 'jwk' }), kid: 'k', use: 'sig', alg: 'RS256' }] };
      case '/token':
        return exchange(new URLSearchParams(body));
      case '/userinfo':
        return { sub: misconduct.claims?.sub ?? 'ada', email: 'ada@example.com', ...misconduct.userinfo };
      default:
        return null;
    }
  };

  const server = createServer(async (request, response) => {
    const path = request.url ?? '';
    requests.push(path);
    const { outage } = misconduct;
    if (outage?.path === path) return fail(response, outage.as);
    const found = respond(path, await text(request));
    response.writeHead(found === null ? 400 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(found ?? { error: 'invalid_grant' }));
  });
  const listener = await listenLocally(server);
  url = listener.url;
  return {
    ...listener,
    requests,
    behave: (how = {}) => {
      misconduct = how;
    },
    authorize: ({ searchParams }) => {
      const code = randomUUID();
      grants.set(code, { nonce: searchParams.get('nonce'), challenge: searchParams.get('code_challenge') });
      const back = new URL(searchParams.get('redirect_uri') ?? '');
      back.search = String(new URLSearchParams({ code, state: searchParams.get('state') ?? '' }));
      return back;
    },
  };
}

function fail(response: ServerResponse, as: number | 'silence' | 'flood'): void {
  if (typeof as === 'number') response.writeHead(as).end('{}');
  if (as !== 'flood') return;
  response.writeHead(200, { 'content-type': 'application/json' });
  const send = () => {
    while (!response.destroyed && response.write('x'.repeat(65_536)));
    if (!response.destroyed) response.once('drain', send);
  };
  send();
}
