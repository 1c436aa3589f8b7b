import { execFile, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { probe } from '../probe';
import { ODD_SERVERS, type OddServer } from '../testing/odd-servers';
import { serveOdd } from '../testing/serve-odd';
import { createTarget, openEnvironment } from '../testing/target';

/** How each client judges a server: null if it gets the expected status and the whole body. */
type Verdict = Judged & { curl: string | null; fetch: string | null; openssl: string | null };
type Judged = { probe: string | null; code: string | null; ends: string | null };

/** Our client never waits this long; the others do when a server leaves a bad response open. */
const TIMEOUT_S = 10;
const OTHERS_TIMEOUT_S = 2;
const AT_ONCE = 12;
const LARGEST_BODY = 'x'.repeat(64 * 1024);
const AUTHORITY = fileURLToPath(new URL('../../platform/net/testing/authorities.pem', import.meta.url));
const hasCurl = spawnSync('curl', ['--version']).status === 0;
const hasOpenssl = spawnSync('openssl', ['version']).status === 0;
const verdicts = new Map<string, Verdict>();

async function judgeByProbe(row: OddServer, url: string): Promise<Judged> {
  const { method = 'GET', status = 200, headers = {}, keyword = null, timeout = TIMEOUT_S } = row;
  const body = method === 'POST' ? LARGEST_BODY : null;
  const target = createTarget('http', `${url}/probe`, {
    method,
    headers,
    body,
    expectedStatusCode: status,
    keyword,
    timeout,
  });
  const { outcome, error, certificateExpiresAt: end, certificateName } = await probe(target, openEnvironment);
  const ends = end && `${end.getUTCFullYear()}: ${certificateName ?? 'certificate'}`;
  if (outcome === 'ok') return { probe: null, code: null, ends };
  const peer = new URL(url).host;
  const message = error?.message.replace(peer, 'the server').replace(/^the server /, '') ?? '';
  // Whether an end or a reset is seen first is a matter of microseconds.
  const stable = message.replace('connection reset', 'connection closed').replace(/\d+ days ago/, 'days ago');
  return { probe: stable, code: error?.code ?? null, ends };
}

function judgeByCurl(row: OddServer, url: string): Promise<string | null> {
  const { method = 'GET', status = 200, headers = {}, keyword = '' } = row;
  const follow = status === 302 ? [] : ['-L', '-b', ''];
  const asked = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  const send = { GET: [], HEAD: ['-I'], POST: ['-d', LARGEST_BODY] }[method];
  const read = keyword === '' ? ['-o', '/dev/null'] : ['--compressed'];
  const output = [...read, '-w', '%{http_code}'];
  const options = ['-sS', '-m', String(OTHERS_TIMEOUT_S), '--cacert', AUTHORITY];
  const words = [...options, ...asked, ...follow, ...send, ...output];
  return new Promise((resolve) => {
    execFile('curl', [...words, `${url}/curl`], (error, stdout, stderr) => {
      if (error) resolve(stderr.trim() || String(error.code));
      else resolve(stdout.includes(keyword) && stdout.endsWith(String(status)) ? null : `status ${stdout}`);
    });
  });
}

async function judgeByFetch(row: OddServer, url: string): Promise<string | null> {
  const { method = 'GET', status = 200, headers, keyword = '' } = row;
  try {
    const response = await fetch(`${url}/fetch`, {
      method,
      headers,
      body: method === 'POST' ? LARGEST_BODY : undefined,
      redirect: status === 302 ? 'manual' : 'follow',
      signal: AbortSignal.timeout(OTHERS_TIMEOUT_S * 1000),
    });
    const text = await response.text();
    return text.includes(keyword) && response.status === status ? null : `status ${response.status}: ${text}`;
  } catch (error) {
    return String(error instanceof Error ? (error.cause ?? error) : error);
  }
}

/** Whether OpenSSL verifies the certificate, at the given time or now. */
function verifyByOpenssl(url: string, at?: Date): Promise<string | null> {
  const { hostname, host } = new URL(url);
  const time = at ? ['-attime', String(at.getTime() / 1000)] : [];
  const options = ['-CAfile', AUTHORITY, '-verify_return_error', '-verify_ip', hostname, '-alpn', 'http/1.1'];
  const words = ['s_client', '-connect', host, ...options, ...time];
  return new Promise((resolve) => {
    const { stdin } = execFile('openssl', words, (error, _stdout, stderr) =>
      resolve(error ? stderr.trim() || String(error.code) : null),
    );
    stdin?.on('error', () => {}).end();
  });
}

/** The authorities that fetch trusts are set when a process starts, and it keeps no cookies. */
const isForFetch = ({ tls, needsCookies = false }: OddServer) => !tls && !needsCookies;

async function judge(row: OddServer): Promise<void> {
  const server = await serveOdd(row);
  try {
    const [ours, curl, fetched, openssl] = await Promise.all([
      judgeByProbe(row, server.url),
      hasCurl ? judgeByCurl(row, server.url) : 'not installed',
      isForFetch(row) ? judgeByFetch(row, server.url) : 'not requested',
      row.tls && hasOpenssl ? verifyByOpenssl(server.url) : 'not requested',
    ]);
    verdicts.set(row.name, { ...ours, curl, fetch: fetched, openssl });
  } finally {
    server.close();
  }
}

beforeAll(async () => {
  const rows = [...ODD_SERVERS];
  const work = async () => {
    for (let row = rows.shift(); row; row = rows.shift()) await judge(row);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
});

describe('a check of a server that sends', () => {
  it.each(ODD_SERVERS)('$name', ({ name, error }) => {
    expect(verdicts.get(name)?.probe).toBe(error);
  });
});

describe.skipIf(!hasCurl)('if curl (when installed) and fetch succeed, so does the check:', () => {
  it.each(ODD_SERVERS)('$name', (row) => {
    const verdict = verdicts.get(row.name);
    const mustSucceed =
      !row.differs && verdict?.curl === null && (!isForFetch(row) || verdict.fetch === null);
    expect(mustSucceed ? verdict.probe : null).toBeNull();
  });
});

/** OpenSSL does not wait for a server that rejects it after the handshake. */
const withTls = ODD_SERVERS.filter(({ tls }) => tls !== undefined && !tls.requestCert);

describe.skipIf(!hasOpenssl)('a certificate is accepted if openssl (when installed) accepts it:', () => {
  it.each(withTls)('$name', ({ name }) => {
    const verdict = verdicts.get(name);
    expect(verdict?.code === 'tls').toBe(verdict?.openssl !== null);
  });
});

const withEnd = ODD_SERVERS.filter(({ ends }) => ends !== undefined);

describe('the end of a certificate is that of the first in its chain:', () => {
  it.each(withEnd)('$name', ({ name, ends }) => expect(verdicts.get(name)?.ends).toBe(ends));
});

describe.skipIf(!hasOpenssl)('and after it openssl (when installed) rejects the chain, not before:', () => {
  it.each(withEnd)('$name', async (row) => {
    const year = Number(row.ends?.slice(0, 4));
    const server = await serveOdd(row);
    onTestFinished(server.close);
    expect(await verifyByOpenssl(server.url, new Date(Date.UTC(year - 1, 11, 31)))).toBeNull();
    expect(await verifyByOpenssl(server.url, new Date(Date.UTC(year, 0, 2)))).toContain('expired');
  });
});
