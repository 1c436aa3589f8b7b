import { probe } from '../probe';
import { ODD_SERVERS, type OddServer } from './odd-servers';
import { serveOdd } from './serve-odd';
import { createTarget, openEnvironment } from './target';

/** How a check judges a server: null if it gets the expected status and the whole body. */
export type Judged = { probe: string | null; code: string | null; ends: string | null };

/** Our client never waits this long. */
const TIMEOUT_S = 10;
const AT_ONCE = 12;
/** The body of requests with POST. */
export const LARGEST_BODY = 'x'.repeat(64 * 1024);

/** Serves each odd server while `judge` judges it. Returns the verdicts by name. */
export async function judgeOddServers<Verdict>(
  judge: (row: OddServer, url: string) => Promise<Verdict>,
): Promise<Map<string, Verdict>> {
  const verdicts = new Map<string, Verdict>();
  const rows = [...ODD_SERVERS];
  const work = async () => {
    for (let row = rows.shift(); row; row = rows.shift()) {
      const server = await serveOdd(row);
      verdicts.set(row.name, await judge(row, server.url).finally(server.close));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return verdicts;
}

/** What a check of the server finds. */
export async function judgeByProbe(row: OddServer, url: string): Promise<Judged> {
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
