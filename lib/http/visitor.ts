import 'server-only';
import { headers } from 'next/headers';
import type { Visitor } from '@/lib/people/visitor';
import { isLocalVisit, PEER_HEADER } from './local-visit';
import { requestAddress } from './request-address';

/** Whether this request comes from the very machine, by itself and not through a proxy. */
export async function isLocalVisitor(): Promise<boolean> {
  const all = await headers();
  return isLocalVisit({ peer: all.get(PEER_HEADER), host: all.get('host'), names: [...all.keys()] });
}

/** Who sent this request, as far as it can be known. */
export async function readVisitor(): Promise<Visitor> {
  const all = await headers();
  return { address: requestAddress(all), userAgent: all.get('user-agent') };
}
