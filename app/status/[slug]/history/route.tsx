import { pageRoute } from '@/app/status/page-route';
import { Document } from '@/components/status-page/document';
import { SearchForm } from '@/components/status-page/history/incident-search';
import { MonthHistory } from '@/components/status-page/history/month-history';
import { readHistoryView } from '@/lib/domain/status-pages/public/read-history-view';

export const dynamic = 'force-dynamic';

/** The history of a month: the current one or `?month=2026-11`. */
export const GET = pageRoute({
  kind: 'searchable',
  read: ({ services, params: { slug }, query, admit }) =>
    readHistoryView(services, slug, query.get('month') ?? undefined, admit),
  draw: (view, drawing) => {
    const { place, t } = drawing;
    const title = `${t.messages.history}, ${t.month(view.month)}`;
    const query: Record<string, string> = view.next === null ? {} : { month: view.month };
    return (
      <Document
        {...drawing}
        page={view.page}
        path="/history"
        query={query}
        title={title}
        tone="rest"
        search={<SearchForm place={place} t={t} />}
      >
        <MonthHistory view={view} place={place} t={t} />
      </Document>
    );
  },
});
