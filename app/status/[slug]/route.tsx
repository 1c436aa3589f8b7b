import { pageRoute } from '@/app/status/page-route';
import { CurrentStatus } from '@/components/status-page/current-status';
import { Document } from '@/components/status-page/document';
import { TONE_OF } from '@/components/status-page/state';
import { readPageView } from '@/lib/domain/status-pages/public/read-page-view';
import { shareWithServer } from '@/lib/web/http/process-shared';

export const dynamic = 'force-dynamic';

/** The public page with the current status. */
export const GET = pageRoute({
  read: ({ services, params: { slug }, admit }) => readPageView(services, slug, admit),
  draw: (view, drawing) => {
    const { place, t } = drawing;
    const title = t.messages.banner[view.status.state];
    return (
      <Document {...drawing} page={view.page} path="" title={title} tone={TONE_OF[view.status.state]}>
        <CurrentStatus view={view} place={place} t={t} />
      </Document>
    );
  },
});

shareWithServer('/status/[slug]', GET);
