import type { ReactNode } from 'react';
import { load } from './load';

type Props = { params: Promise<{ id: string }>; children: ReactNode };

/** Looks for the monitor before the skeleton is sent: an address without one answers 404, not 200 and a blank page. */
export default async function MonitorLayout({ params, children }: Props) {
  await load((await params).id);
  return children;
}
