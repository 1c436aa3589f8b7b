import { once } from 'node:events';
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { HttpProxyAgent } from 'http-proxy-agent';
import { HttpsProxyAgent } from 'https-proxy-agent';
import { getProxyForUrl } from 'proxy-from-env';
import { z } from 'zod';
import { describeError } from '@/lib/core/errors';
import { type Exchange, ExchangeError } from '@/lib/engine/remote/exchange';
import {
  type Input,
  MAX_WAIT_MS,
  OPERATIONS,
  type OperationName,
  type Output,
  PROBE_PATH,
  responseSchema,
  WORTH_COMPRESSING_BYTES,
} from '@/lib/engine/remote/protocol';

/** A response that takes longer is considered lost: a report may wait for news meanwhile. */
const PATIENCE_MS = MAX_WAIT_MS + 12_000;

/** A configuration of thousands of monitors. */
const MAX_RESPONSE_BYTES = 64 * 1024 * 1024;

const [compress, decompress] = [promisify(gzip), promisify(gunzip)];
/** The most is half of a lease: a probe that finds the service again should still have its shards. */
const [BACKOFF_MS, MAX_BACKOFF_MS] = [250, 5000];

type Response = { status: number; text: string };

/**
 * Sends requests to the service at `url` with a probe token, through the proxy that HTTPS_PROXY, HTTP_PROXY and NO_PROXY name. `instance` is
 * new for each process. Not by `fetch`, which takes ten megabytes more.
 */
export function createExchange({
  url,
  token,
  instance,
}: {
  url: string;
  token: string;
  instance: string;
}): Exchange {
  const base = new URL(PROBE_PATH.slice(1), `${url.replace(/\/+$/, '')}/`);
  const agent = createAgent(base.href);
  const open = base.protocol === 'https:' ? httpsRequest : httpRequest;

  const post = async (name: OperationName, input: unknown): Promise<Response> => {
    const text = JSON.stringify({ instance, input });
    const isWorthIt = text.length >= WORTH_COMPRESSING_BYTES;
    const body = isWorthIt ? await compress(text) : Buffer.from(text);
    const request = open(new URL(name, base), {
      method: 'POST',
      agent,
      headers: {
        authorization: `Bearer ${token}`,
        'accept-encoding': 'gzip',
        'content-type': 'application/json',
        'content-length': body.length,
        ...(isWorthIt ? { 'content-encoding': 'gzip' } : {}),
      },
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    request.end(body);
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    const bytes = await buffer(response);
    const isCompressed = response.headers['content-encoding'] === 'gzip';
    const plain = isCompressed ? await decompress(bytes, { maxOutputLength: MAX_RESPONSE_BYTES }) : bytes;
    return { status: response.statusCode ?? 0, text: plain.toString() };
  };
  const backoff = createBackoff();
  const send = async <Name extends OperationName>(name: Name, input: Input<Name>) => {
    await backoff.wait();
    try {
      const { status, text } = await post(name, input).catch((error: unknown) => {
        throw new ExchangeError(`cannot reach ${url}: ${describeError(error)}`, null);
      });
      if (status !== 200) throw readRefusal(status, text);
      const { now, output } = responseSchema.parse(parseJson(text));
      backoff.end();
      return { now, output: OPERATIONS[name].output.parse(output) as Output<Name> };
    } catch (error) {
      if (error instanceof ExchangeError && error.refused === 'request') backoff.end();
      else backoff.extend();
      throw error;
    }
  };
  return {
    send,
    request: async (name, input) => (await send(name, input)).output,
    readTime: async () => (await send('hello', {})).now,
  };
}

/** Before the next request after failures: longer each time, and at random, so that many probes do not come back at once. */
function createBackoff() {
  let failures = 0;
  let until = 0;
  return {
    wait: async (): Promise<void> => {
      const restMs = until - performance.now();
      if (restMs > 0) await delay(restMs);
    },
    extend: (): void => {
      const ms = Math.min(MAX_BACKOFF_MS, BACKOFF_MS * 2 ** failures);
      failures += 1;
      until = performance.now() + ms * (0.5 + Math.random() / 2);
    },
    end: (): void => {
      failures = 0;
      until = 0;
    },
  };
}

/** Keeps connections open: a probe sends a request a second. */
function createAgent(url: string): HttpAgent {
  const keepAlive = true;
  const proxy = getProxyForUrl(url);
  const isSecure = url.startsWith('https:');
  if (proxy !== '')
    return isSecure ? new HttpsProxyAgent(proxy, { keepAlive }) : new HttpProxyAgent(proxy, { keepAlive });
  return isSecure ? new HttpsAgent({ keepAlive }) : new HttpAgent({ keepAlive });
}

const problemSchema = z.object({ error: z.object({ message: z.string() }) });

/** A limit or a fault of the service passes; a token or a request that it refuses does not. */
function readRefusal(status: number, text: string): ExchangeError {
  const problem = problemSchema.safeParse(parseJson(text));
  const why = problem.success ? `: ${problem.data.error.message}` : '';
  return new ExchangeError(`the service responded with ${status}${why}`, refusedBy(status));
}

function refusedBy(status: number): ExchangeError['refused'] {
  if (status < 400 || status >= 500 || status === 408 || status === 429) return null;
  return status === 401 || status === 403 ? 'probe' : 'request';
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ExchangeError('the response is not from Pharos; check the address', null);
  }
}
