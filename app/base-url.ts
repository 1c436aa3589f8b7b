import 'server-only';
import { headers } from 'next/headers';
import { requestBaseUrl } from '@/lib/web/http/address/request-address';

/** The URL at which this visitor reaches the service, without a trailing slash. */
export async function readBaseUrl(): Promise<string> {
  return requestBaseUrl(await headers());
}
