import { execFile, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type Judged, judgeByProbe, judgeOddServers, LARGEST_BODY } from '../testing/judge-odd-servers';
import { ODD_SERVERS, type OddServer } from '../testing/odd-servers';
import { serveOdd } from '../testing/serve-odd';

/** How each client judges a server: null if it gets the expected status and the whole body. */
type Verdict = Judged & { curl: string | null; fetch: string | null; openssl: string | null };

/** Other clients wait when a server leaves a bad response open. */
const OTHERS_TIMEOUT_S = 2;
const AUTHORITY = fileURLToPath(new URL('../../platform/net/testing/authorities.pem', import.meta.url));
const hasCurl = spawnSync('curl', ['--version']).status === 0;
const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

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

let verdicts: Map<string, Verdict>;
beforeAll(async () => {
  verdicts = await judgeOddServers(async (row, url) => {
    const [ours, curl, fetched, openssl] = await Promise.all([
      judgeByProbe(row, url),
      hasCurl ? judgeByCurl(row, url) : 'not installed',
      isForFetch(row) ? judgeByFetch(row, url) : 'not requested',
      row.tls && hasOpenssl ? verifyByOpenssl(url) : 'not requested',
    ]);
    return { ...ours, curl, fetch: fetched, openssl };
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

describe.skipIf(!hasOpenssl)(
  'after the end of its first certificate, openssl (when installed) rejects a chain, not before:',
  () => {
    it.each(withEnd)('$name', async (row) => {
      const year = Number(row.ends?.slice(0, 4));
      const server = await serveOdd(row);
      onTestFinished(server.close);
      expect(await verifyByOpenssl(server.url, new Date(Date.UTC(year - 1, 11, 31)))).toBeNull();
      expect(await verifyByOpenssl(server.url, new Date(Date.UTC(year, 0, 2)))).toContain('expired');
    });
  },
);
