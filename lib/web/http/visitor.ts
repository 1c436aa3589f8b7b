import 'server-only';
import { headers } from 'next/headers';
import type { Visitor } from '@/lib/domain/people/visitor';
import { requestAddress } from './request-address';

/** Who sent this request, as far as it can be known. */
export async function readVisitor(): Promise<Visitor> {
  const all = await headers();
  return { address: requestAddress(all), userAgent: all.get('user-agent') };
}
