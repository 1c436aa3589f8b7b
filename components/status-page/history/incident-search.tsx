import { fill } from '@/lib/core/text';
import type { SearchView } from '@/lib/domain/status-pages/public/history/search-incidents';
import { MAX_SEARCH_LENGTH } from '@/lib/schemas/status-pages/incident-search';
import { IncidentLine } from '../incident-card';
import { linkTo, type PagePlace } from '../links';
import type { Translator } from '../translator';

type FormProps = { place: PagePlace; text?: string; t: Translator };

/** Searches the incidents of a page, without a script. */
export function SearchForm({ place: { base, lang }, text = '', t: { messages } }: FormProps) {
  return (
    <search>
      <form action={`${base}/search`}>
        {lang === undefined ? null : <input type="hidden" name="lang" value={lang} />}
        <input
          type="search"
          name="q"
          aria-label={messages.search.label}
          placeholder={messages.search.label}
          defaultValue={text}
          maxLength={MAX_SEARCH_LENGTH}
          enterKeyHint="search"
          required
        />
        <button type="submit">{messages.search.submit}</button>
      </form>
    </search>
  );
}

/** What was found. */
export function FoundIncidents({ view, place, t }: { view: SearchView; place: PagePlace; t: Translator }) {
  const { messages } = t;
  const { text, incidents } = view;
  const names = new Map(view.rows.map(({ id, name }) => [id, name]));
  return (
    <section id="found">
      <h2>{text === '' ? messages.search.title : fill(messages.search.results, { text })}</h2>
      {text === '' ? <p className="empty">{messages.search.hint}</p> : null}
      {text !== '' && incidents.length === 0 ? <p className="empty">{messages.search.none}</p> : null}
      {incidents.map((incident) => (
        <IncidentLine key={incident.id} incident={incident} names={names} place={place} t={t} />
      ))}
      {view.isCut ? <p className="empty">{fill(messages.cut, { n: String(incidents.length) })}</p> : null}
      <p>
        <a href={linkTo(place, '/history')}>{messages.history}</a>
      </p>
    </section>
  );
}
