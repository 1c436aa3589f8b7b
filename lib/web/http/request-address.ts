import { getEnvironment } from '@/lib/env';
import { clientAddress } from './client-address';
import { PEER_HEADER } from './local-visit';

/** The address of who sent a request that our server took; null where it cannot be known. */
export function requestAddress(headers: Pick<Headers, 'get'>): string | null {
  const hop = { peer: headers.get(PEER_HEADER), forwardedFor: headers.get('x-forwarded-for') };
  return clientAddress(hop, getEnvironment().TRUSTED_PROXIES);
}
