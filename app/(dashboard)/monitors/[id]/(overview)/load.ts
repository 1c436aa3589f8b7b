import 'server-only';
import { cache } from 'react';
import { getMonitor } from '@/lib/domain/monitors/find-monitor';
import { requireSession } from '@/lib/web/http/dashboard-session';
import { orNotFound } from '../../../act';

/** The monitor of a URL, read once per request for the layout, the title, and the page. */
export const load = cache(async (id: string) => {
  const { ctx } = await requireSession();
  return { ctx, monitor: await orNotFound(getMonitor(ctx, id)) };
});
