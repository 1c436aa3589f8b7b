import 'server-only';
import { headers } from 'next/headers';
import { getEnvironment } from '@/lib/env';

/** The address under which this visitor reaches the service, without a slash at the end. */
export async function readBaseUrl(): Promise<string> {
  const { APP_URL, PORT } = getEnvironment();
  if (APP_URL !== undefined) return APP_URL;
  const all = await headers();
  const scheme = all.get('x-forwarded-proto') === 'https' ? 'https' : 'http';
  return `${scheme}://${all.get('host') ?? `localhost:${PORT}`}`;
}
