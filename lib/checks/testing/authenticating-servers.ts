import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { serveHttp } from '@/lib/platform/net/testing/servers';

type Account = { username: string; password: string };
type DigestOptions = { algorithm?: 'MD5' | 'MD5-sess' | 'SHA-256' | 'SHA-256-sess'; qop?: string | null };

/** Serves what only this account may read, by digest authentication (RFC 7616). Each nonce is valid once. */
export async function serveDigest(
  account: Account,
  { algorithm = 'SHA-256', qop = 'auth' }: DigestOptions = {},
) {
  const nonces = new Set<string>();
  const requests: (string | undefined)[] = [];
  const server = await serveHttp((request, response) => {
    requests.push(request.headers.authorization);
    if (isAuthorized(request, account, nonces)) {
      response.end('welcome');
      return;
    }
    const nonce = randomBytes(8).toString('hex');
    nonces.add(nonce);
    const offered = qop === null ? '' : `, qop="${qop}"`;
    const digest = `Digest realm="a \\"quoted\\" realm, with a comma", nonce="${nonce}", opaque="x", algorithm=${algorithm}${offered}`;
    response.writeHead(401, { 'www-authenticate': ['Basic realm="a"', digest] }).end();
  });
  return { ...server, requests };
}

function isAuthorized({ headers, method, url }: IncomingMessage, account: Account, nonces: Set<string>) {
  const [, fields] = /^Digest (.*)$/.exec(headers.authorization ?? '') ?? [];
  if (fields === undefined) return false;
  const parts = Object.fromEntries(
    [...fields.matchAll(/(\w+)=(?:"((?:[^"\\]|\\.)*)"|([^,]+))/g)].map(([, name, quoted, plain]) => [
      name,
      quoted?.replaceAll(/\\(.)/g, '$1') ?? plain,
    ]),
  );
  const { algorithm = 'MD5', nonce = '', nc, cnonce, qop, uri, realm, response, username } = parts;
  const hash = (...texts: unknown[]) =>
    createHash(algorithm.startsWith('MD5') ? 'md5' : 'sha256')
      .update(texts.join(':'))
      .digest('hex');
  const own = hash(account.username, realm, account.password);
  const ha1 = algorithm.endsWith('-sess') ? hash(own, nonce, cnonce) : own;
  const ha2 = hash(method, uri);
  const expected = qop === undefined ? hash(ha1, nonce, ha2) : hash(ha1, nonce, nc, cnonce, qop, ha2);
  return nonces.delete(nonce) && uri === url && username === account.username && response === expected;
}

type OauthOptions = {
  client: { id: string; secret: string };
  /** Where the credentials of the client must be. */
  accepts?: 'header' | 'body';
  /** Replaces the response to valid credentials. */
  respond?: (token: string) => { status?: number; body: unknown };
};

/** A token endpoint for client credentials (RFC 6749, section 4.4), and a resource that requires the last token. */
export async function serveOauth({ client, accepts = 'header', respond }: OauthOptions) {
  const state = { token: '', issued: 0, scopes: [] as (string | null)[], refused: 0 };
  const endpoint = await serveHttp(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    const form = new URLSearchParams(Buffer.concat(chunks).toString());
    const isKnown = readClient(request, form, accepts) === `${client.id}:${client.secret}`;
    response.setHeader('content-type', 'application/json');
    if (!isKnown || form.get('grant_type') !== 'client_credentials') {
      state.refused += 1;
      response
        .writeHead(401)
        .end(JSON.stringify({ error: 'invalid_client', error_description: client.secret }));
      return;
    }
    state.issued += 1;
    state.token = `token-${state.issued}-${randomBytes(4).toString('hex')}`;
    state.scopes.push(form.get('scope'));
    const usual = { body: { access_token: state.token, token_type: 'Bearer', expires_in: 3600 } };
    const { status = 200, body } = { status: 200, ...(respond?.(state.token) ?? usual) };
    response.writeHead(status).end(JSON.stringify(body));
  });
  const resource = await serveHttp((request, response) => {
    const isCurrent = state.token !== '' && request.headers.authorization === `Bearer ${state.token}`;
    response.writeHead(isCurrent ? 200 : 401).end('resource');
  });
  return { tokenUrl: `${endpoint.url}/token`, resource, state };
}

function readClient({ headers }: IncomingMessage, form: URLSearchParams, accepts: 'header' | 'body'): string {
  if (accepts === 'body') return `${form.get('client_id')}:${form.get('client_secret')}`;
  const [, encoded = ''] = /^Basic (.*)$/.exec(headers.authorization ?? '') ?? [];
  return Buffer.from(encoded, 'base64').toString().split(':').map(decodeURIComponent).join(':');
}
