import 'server-only';
import { readDomainSettings } from '@/lib/domain/status-pages/page-row';
import { getStatusPage } from '@/lib/domain/status-pages/read-status-pages';
import { getEnvironment } from '@/lib/env';
import { loaderOf } from '../../act';

export const loadPage = loaderOf((ctx, slug) =>
  getStatusPage(ctx, slug, readDomainSettings(getEnvironment())),
);
