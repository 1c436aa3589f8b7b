import { requireDescribed } from '@/e2e/support/require-described';

/** A request to send; `key` is the API key, null for none. */
export type OutsideRequest = {
  method: string;
  /** Below /api, with its query. */
  path: string;
  key: string | null;
  /** The text or bytes of the body; null for none. */
  body?: string | Uint8Array<ArrayBuffer> | null;
  headers?: Record<string, string>;
};

/** A response: its bytes and its JSON; `undefined` if it is not JSON. */
export type OutsideResponse = { status: number; headers: Headers; text: string; json: unknown };

/** A service, and how requests reach it: by default over HTTP. */
export type Callee = { url: string; fetch?: typeof fetch };

/** Sends any request, valid or not, to the API of a service. Does not follow redirects. Throws if the response is not as documented. */
export async function send(
  { url, fetch = globalThis.fetch }: Callee,
  { method, path, key, body = null, headers = {} }: OutsideRequest,
): Promise<OutsideResponse> {
  const response = await fetch(`${url}/api${path}`, {
    method,
    redirect: 'manual',
    headers: {
      ...(key === null ? {} : { Authorization: `Bearer ${key}` }),
      ...(body === null ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body === null ? {} : { body }),
  });
  const text = await response.text();
  const received = { status: response.status, headers: response.headers, text };
  await requireDescribed(url, { method, path, ...received });
  return { ...received, json: parse(text) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
