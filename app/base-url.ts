import 'server-only';
import { headers } from 'next/headers';
import { requestBaseUrl } from '@/lib/web/http/request-address';

/** The address under which this visitor reaches the service, without a slash at the end. */
export async function readBaseUrl(): Promise<string> {
  return requestBaseUrl(await headers());
}
