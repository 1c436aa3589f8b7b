import 'server-only';
import type { Metadata } from 'next';
import type { PageProps } from '@/app/page-props';
import { readPageSettings } from '@/lib/domain/status-pages/page-row';
import { getStatusPage } from '@/lib/domain/status-pages/read-status-pages';
import { getEnvironment } from '@/lib/env';
import { loaderOf } from '../../act';

export const loadPage = loaderOf((ctx, slug) => getStatusPage(ctx, slug, readPageSettings(getEnvironment())));

/** The title of each tab of a page. For an unknown one, a layout's would replace that of "Page not found". */
export async function generateMetadata({ params }: PageProps<'slug'>): Promise<Metadata> {
  const { found: page } = await loadPage((await params).slug);
  return { title: page.name };
}
