/** What the API answered; `body` is the parsed JSON. */
export type ApiAnswer = { status: number; headers: Headers; body: ReturnType<typeof JSON.parse> };

/** A REST client with one API key, as a customer would write it. */
export type ApiClient = (method: string, path: string, body?: unknown) => Promise<ApiAnswer>;

/** Calls the API of the service at `url`; a string as body is sent as it is. */
export function createApiClient(url: string, apiKey: string): ApiClient {
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
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? null : JSON.parse(text),
    };
  };
}
