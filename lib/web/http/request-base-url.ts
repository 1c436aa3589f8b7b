import { type Environment, getEnvironment } from '@/lib/env';

type Headers = { get(name: string): string | null };

/** The address under which the app is reached, without a slash at the end: APP_URL, else what the request came to. */
export function requestBaseUrl(
  headers: Headers,
  { APP_URL, PORT }: Pick<Environment, 'APP_URL' | 'PORT'> = getEnvironment(),
): string {
  if (APP_URL !== undefined) return APP_URL;
  return `${requestScheme(headers)}://${headers.get('host') ?? `localhost:${PORT}`}`;
}

/** Whether a request came over https, as far as somebody in front of us says. */
export function requestScheme(headers: Headers): 'http' | 'https' {
  return headers.get('x-forwarded-proto') === 'https' ? 'https' : 'http';
}
