import { createHash, randomBytes } from 'node:crypto';

/** The request that a response to a challenge is for. */
type DigestRequest = { method: string; path: string; username: string; password: string };

/** What a server asks for (RFC 7616, section 3.3). Texts are ISO 8859-1, as received. */
export type DigestChallenge = {
  realm: string;
  nonce: string;
  opaque: string | null;
  /** As the server writes it; null without one, which means MD5. */
  algorithm: string | null;
  hash: string;
  /** Whether the hash of the password is bound to the nonces. */
  isSession: boolean;
  /** Whether the server supports `qop`; one of RFC 2069 does not. */
  hasQop: boolean;
};

/** The hashes of Node.js by their names in challenges. */
const HASHES: Readonly<Record<string, string>> = {
  MD5: 'md5',
  'SHA-256': 'sha256',
  'SHA-512-256': 'sha512-256',
};

/** A parameter with its value in quotes or without, or a word, which begins the challenge of another scheme. */
const PARTS = /([\w-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))|([\w-]+)/g;

type Scheme = { name: string; parameters: Map<string, string> };

/** The challenges of a `WWW-Authenticate` header, which can join several with commas. */
function listSchemes(header: string): Scheme[] {
  const schemes: Scheme[] = [];
  for (const [, name = '', quoted, plain, word] of header.matchAll(PARTS)) {
    if (word !== undefined) schemes.push({ name: word.toLowerCase(), parameters: new Map() });
    else
      schemes.at(-1)?.parameters.set(name.toLowerCase(), quoted?.replaceAll(/\\(.)/g, '$1') ?? plain ?? '');
  }
  return schemes;
}

/**
 * The first challenge of a `WWW-Authenticate` header that can be met: by preference of the server, with qop `auth` or none. Otherwise why there
 * is none, as the end of a sentence about the server.
 */
export function pickChallenge(header: string): DigestChallenge | { problem: string } {
  const offered = listSchemes(header).filter(({ name }) => name === 'digest');
  if (offered.length === 0) return { problem: 'offers no Digest authentication' };
  for (const { parameters } of offered) {
    const algorithm = parameters.get('algorithm') ?? null;
    const [, base = '', session] = /^(.*?)(-sess)?$/i.exec(algorithm ?? 'MD5') ?? [];
    const hash = HASHES[base.toUpperCase()];
    const [realm, nonce, qop] = ['realm', 'nonce', 'qop'].map((name) => parameters.get(name));
    const isAuth = qop === undefined || qop.split(',').some((each) => each.trim().toLowerCase() === 'auth');
    if (hash === undefined || !isAuth || realm === undefined || nonce === undefined) continue;
    const opaque = parameters.get('opaque') ?? null;
    const isSession = session !== undefined;
    return { realm, nonce, opaque, algorithm, hash, isSession, hasQop: qop !== undefined };
  }
  return { problem: 'offers Digest authentication only with an algorithm that is not supported' };
}

const FIRST_USE = '00000001';

/** The `Authorization` header that meets a challenge with its first use (RFC 7616, section 3.4). `cnonce` replaces a random one. */
export function answerChallenge(
  challenge: DigestChallenge,
  { method, path, username, password }: DigestRequest,
  cnonce = randomBytes(16).toString('hex'),
): string {
  const { realm, nonce, opaque, algorithm, hash, isSession, hasQop } = challenge;
  const digest = (...parts: readonly string[]) =>
    createHash(hash)
      .update(Buffer.from(parts.join(':'), 'latin1'))
      .digest('hex');
  const [name, secret] = [username, password].map((each) => Buffer.from(each).toString('latin1'));
  const own = digest(name ?? '', realm, secret ?? '');
  const ha1 = isSession ? digest(own, nonce, cnonce) : own;
  const ha2 = digest(method, path);
  const response = hasQop ? digest(ha1, nonce, FIRST_USE, cnonce, 'auth', ha2) : digest(ha1, nonce, ha2);
  const fields = [
    `username=${quote(name ?? '')}`,
    `realm=${quote(realm)}`,
    `nonce=${quote(nonce)}`,
    `uri=${quote(path)}`,
    ...(algorithm === null ? [] : [`algorithm=${algorithm}`]),
    `response="${response}"`,
    ...(opaque === null ? [] : [`opaque=${quote(opaque)}`]),
    ...(hasQop ? ['qop=auth', `nc=${FIRST_USE}`] : []),
    ...(hasQop || isSession ? [`cnonce="${cnonce}"`] : []),
  ];
  return `Digest ${fields.join(', ')}`;
}

function quote(text: string): string {
  return `"${text.replaceAll(/["\\]/g, '\\$&')}"`;
}
