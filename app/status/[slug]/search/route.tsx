import { pageRoute } from '@/app/status/page-route';
import { Document } from '@/components/status-page/document';
import { FoundIncidents, SearchForm } from '@/components/status-page/history/incident-search';
import { readSearchView } from '@/lib/domain/status-pages/public/history/search-incidents';

export const dynamic = 'force-dynamic';

/** The incidents with all words of `?q=`. */
export const GET = pageRoute({
  kind: 'found',
  read: ({ services, params: { slug }, query, admit }) =>
    readSearchView(services, slug, query.get('q') ?? '', admit),
  draw: (view, drawing) => {
    const { place, t } = drawing;
    const { text } = view;
    return (
      <Document
        {...drawing}
        page={view.page}
        path="/search"
        query={text === '' ? {} : { q: text }}
        title={t.messages.search.title}
        tone="rest"
        search={<SearchForm place={place} text={text} t={t} />}
        isStill
      >
        <FoundIncidents view={view} place={place} t={t} />
      </Document>
    );
  },
});
