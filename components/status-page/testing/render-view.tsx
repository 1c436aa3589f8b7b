import { renderToStaticMarkup } from 'react-dom/server';
import { decidePageStatus } from '@/lib/domain/status-pages/page-status';
import type { PageView } from '@/lib/domain/status-pages/public/read-page-view';
import { withStates } from '@/lib/domain/status-pages/sections/row-states';
import type { Language } from '@/lib/schemas/language';
import { CurrentStatus } from '../current-status';
import { Document } from '../document';
import { TONE_OF } from '../state';
import { pageCss } from '../theme/page-css';
import { inTimeZone, translatorOf } from '../translator';

/** The page of a view as its route returns it. Its states follow from its monitors and incidents. */
export function renderView(
  sample: PageView,
  language: Language = 'en',
  base = '/status/acme',
  canSubscribe = true,
): string {
  const t = inTimeZone(translatorOf(language), sample.page.timeZone);
  const rows = [...sample.monitors, ...sample.components];
  const { status, states } = decidePageStatus(rows, sample.incidents, { automaticDelay: 0 });
  const byId = new Map(rows.map(({ id }, place) => [id, states[place] ?? 'pending']));
  const monitors = sample.monitors.map((monitor) => ({
    ...monitor,
    state: byId.get(monitor.id) ?? monitor.state,
  }));
  const sections = sample.sections.map((section) => withStates(section, byId));
  const view = { ...sample, status, monitors, sections };
  const place = { base, lang: undefined };
  return `<!doctype html>${renderToStaticMarkup(
    <Document
      page={view.page}
      theme={pageCss(view.page)}
      place={place}
      path=""
      origin="https://pharos.example.com/status/acme"
      title={t.messages.banner[status.state]}
      tone={TONE_OF[status.state]}
      canSubscribe={canSubscribe}
      service={{ name: 'Pharos', url: 'https://pharos.example.com' }}
      t={t}
    >
      <CurrentStatus view={view} place={place} t={t} />
    </Document>,
  )}`;
}
