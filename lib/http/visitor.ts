import 'server-only';
import { headers } from 'next/headers';
import { isLocalVisit, PEER_HEADER } from './local-visit';

/** Whether this request comes from the very machine, by itself and not through a proxy. */
export async function isLocalVisitor(): Promise<boolean> {
  const all = await headers();
  return isLocalVisit({ peer: all.get(PEER_HEADER), host: all.get('host'), names: [...all.keys()] });
}
