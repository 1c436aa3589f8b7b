import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
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
} from '@/lib/engine/remote/protocol';

/** A response that takes longer is considered lost: a report may wait for news meanwhile. */
const PATIENCE_MS = MAX_WAIT_MS + 12_000;

const compress = promisify(gzip);
/** Smaller bodies fit into one packet anyway. */
const WORTH_COMPRESSING = 1000;

/** Sends requests to the service at `url` with a probe token. `instance` is new for each process. */
export function createExchange({
  url,
  token,
  instance,
}: {
  url: string;
  token: string;
  instance: string;
}): Exchange {
  const send = async <Name extends OperationName>(name: Name, input: Input<Name>) => {
    const body = JSON.stringify({ instance, input });
    const isWorthIt = body.length >= WORTH_COMPRESSING;
    const response = await fetch(new URL(PROBE_PATH.slice(1) + name, `${url.replace(/\/+$/, '')}/`), {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        ...(isWorthIt ? { 'content-encoding': 'gzip' } : {}),
      },
      body: isWorthIt ? await compress(body) : body,
      redirect: 'error',
      signal: AbortSignal.timeout(PATIENCE_MS),
    }).catch((error: unknown) => {
      throw new ExchangeError(`cannot reach ${url}: ${describeError(error)}`, false);
    });
    const text = await response.text().catch((error: unknown) => {
      throw new ExchangeError(`lost the response of ${url}: ${describeError(error)}`, false);
    });
    if (!response.ok) throw readRefusal(response.status, text);
    const { now, output } = responseSchema.parse(parseJson(text));
    return { now, output: OPERATIONS[name].output.parse(output) as Output<Name> };
  };
  return {
    request: async (name, input) => (await send(name, input)).output,
    readTime: async () => (await send('hello', {})).now,
  };
}

/** A limit or a fault of the service passes; a token or a request that it refuses does not. */
function readRefusal(status: number, text: string): ExchangeError {
  const isRefused = status >= 400 && status < 500 && status !== 408 && status !== 429;
  const parsed = parseJson(text);
  const error = isRecord(parsed) && isRecord(parsed.error) ? parsed.error.message : null;
  return new ExchangeError(
    `the service responded with ${status}${typeof error === 'string' ? `: ${error}` : ''}`,
    isRefused,
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ExchangeError('the response is not from Pharos; check the address', false);
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
