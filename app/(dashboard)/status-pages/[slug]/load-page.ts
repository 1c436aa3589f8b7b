import 'server-only';
import { cache } from 'react';
import { readDomainSettings } from '@/lib/domain/status-pages/page-row';
import { getStatusPage } from '@/lib/domain/status-pages/read-status-pages';
import { getEnvironment } from '@/lib/env';
import { requireSession } from '@/lib/web/http/dashboard-session';
import { orNotFound } from '../../act';

/** The page of a URL, read once per request for the title, the layout, and its tabs. */
export const loadPage = cache(async (slug: string) => {
  const { ctx } = await requireSession();
  const settings = readDomainSettings(getEnvironment());
  return { ctx, page: await orNotFound(getStatusPage(ctx, slug, settings)) };
});
