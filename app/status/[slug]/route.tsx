import { pageRoute } from '@/app/status/page-route';
import { CurrentStatus } from '@/components/status-page/current-status';
import { Document } from '@/components/status-page/document';
import { headlineOf } from '@/components/status-page/headline';
import { readPageView } from '@/lib/domain/status-pages/public/read-page-view';

export const dynamic = 'force-dynamic';

/** The public page with the current status. */
export const GET = pageRoute({
  read: (services, { slug }: { slug: string }) => readPageView(services, slug),
  draw: (view, drawing) => {
    const headline = headlineOf(view);
    const { place, t } = drawing;
    const title = t.messages.banner[headline.message];
    return (
      <Document {...drawing} page={view.page} path="" title={title} tone={headline.tone}>
        <CurrentStatus view={view} headline={headline} place={place} t={t} />
      </Document>
    );
  },
});
