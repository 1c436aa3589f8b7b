import { execFile, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { probe } from '../probe';
import { ODD_SERVERS, type OddServer } from '../testing/odd-servers';
import { serveOdd } from '../testing/serve-odd';
import { createTarget, openEnvironment } from '../testing/target';

/** How each client judges a server: null if it gets the expected status and the whole body. */
type Verdict = { probe: string | null; code: string | null; curl: string | null; fetch: string | null };

/** Our client never waits this long; the others do when a server leaves a bad response open. */
const TIMEOUT_S = 10;
const OTHERS_TIMEOUT_S = 2;
const AT_ONCE = 12;
const LARGEST_BODY = 'x'.repeat(64 * 1024);
const AUTHORITY = fileURLToPath(new URL('../../platform/net/testing/ca.pem', import.meta.url));
const hasCurl = spawnSync('curl', ['--version']).status === 0;
const verdicts = new Map<string, Verdict>();

async function judgeByProbe(row: OddServer, url: string): Promise<Pick<Verdict, 'probe' | 'code'>> {
  const { method = 'GET', status = 200, headers = {} } = row;
  const body = method === 'POST' ? LARGEST_BODY : null;
  const target = createTarget('http', `${url}/probe`, {
    method,
    headers,
    body,
    expectedStatusCode: status,
    timeout: TIMEOUT_S,
  });
  const { outcome, error } = await probe(target, openEnvironment);
  if (outcome === 'ok') return { probe: null, code: null };
  const peer = new URL(url).host;
  const message = error?.message.replace(peer, 'the server').replace(/^the server /, '') ?? '';
  // Whether an end or a reset is seen first is a matter of microseconds.
  return { probe: message.replace('connection reset', 'connection closed'), code: error?.code ?? null };
}

function judgeByCurl(row: OddServer, url: string): Promise<string | null> {
  const { method = 'GET', status = 200, headers = {} } = row;
  const follow = status === 302 ? [] : ['-L', '-b', ''];
  const asked = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  const send = { GET: [], HEAD: ['-I'], POST: ['-d', LARGEST_BODY] }[method];
  const output = ['-o', '/dev/null', '-w', '%{http_code}'];
  const options = ['-sS', '-m', String(OTHERS_TIMEOUT_S), '--cacert', AUTHORITY];
  const words = [...options, ...asked, ...follow, ...send, ...output];
  return new Promise((resolve) => {
    execFile('curl', [...words, `${url}/curl`], (error, stdout, stderr) => {
      if (error) resolve(stderr.trim() || String(error.code));
      else resolve(stdout === String(status) ? null : `status ${stdout}`);
    });
  });
}

async function judgeByFetch(row: OddServer, url: string): Promise<string | null> {
  const { method = 'GET', status = 200, headers } = row;
  try {
    const response = await fetch(`${url}/fetch`, {
      method,
      headers,
      body: method === 'POST' ? LARGEST_BODY : undefined,
      redirect: status === 302 ? 'manual' : 'follow',
      signal: AbortSignal.timeout(OTHERS_TIMEOUT_S * 1000),
    });
    await response.arrayBuffer();
    return response.status === status ? null : `status ${response.status}`;
  } catch (error) {
    return String(error instanceof Error ? (error.cause ?? error) : error);
  }
}

/** The authorities that fetch trusts are set when a process starts, and it keeps no cookies. */
const isForFetch = ({ tls = false, needsCookies = false }: OddServer) => !tls && !needsCookies;

async function judge(row: OddServer): Promise<void> {
  const server = await serveOdd(row);
  try {
    const [ours, curl, fetched] = await Promise.all([
      judgeByProbe(row, server.url),
      hasCurl ? judgeByCurl(row, server.url) : 'not installed',
      isForFetch(row) ? judgeByFetch(row, server.url) : 'not requested',
    ]);
    verdicts.set(row.name, { ...ours, curl, fetch: fetched });
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
    const mustSucceed = verdict?.curl === null && (!isForFetch(row) || verdict.fetch === null);
    expect(mustSucceed ? verdict.probe : null).toBeNull();
  });
});
