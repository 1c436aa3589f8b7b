import type { ReactNode } from 'react';
import { loadMonitor } from './page-data';

type Props = { params: Promise<{ id: string }>; children: ReactNode };

/** Reads the monitor before the skeleton is sent, so that an unknown ID returns 404 instead of 200. */
export default async function MonitorLayout({ params, children }: Props) {
  await loadMonitor((await params).id);
  return children;
}
