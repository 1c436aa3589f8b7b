import { requireDescribed } from './require-described';

/** A response of the API; `body` is the parsed JSON. */
export type ApiResponse = { status: number; headers: Headers; body: ReturnType<typeof JSON.parse> };

/** A REST client with an API key. */
export type ApiClient = (method: string, path: string, body?: unknown) => Promise<ApiResponse>;

/**
 * Calls the API of the service at `url`, by default over HTTP; a string body is sent unchanged. Throws if the response is not as
 * documented.
 */
export function createApiClient(url: string, apiKey: string, fetch = globalThis.fetch): ApiClient {
  return async (method, path, body) => {
    const response = await fetch(`${url}/api${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${apiKey}`,
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const { status, headers } = response;
    await requireDescribed(url, { method, path, status, headers, text });
    return {
      status,
      headers,
      body: text === '' ? null : JSON.parse(text),
    };
  };
}
