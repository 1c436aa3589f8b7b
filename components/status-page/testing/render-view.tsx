import { renderToStaticMarkup } from 'react-dom/server';
import type { PageView } from '@/lib/domain/status-pages/public/read-page-view';
import type { Language } from '@/lib/schemas/language';
import { CurrentStatus } from '../current-status';
import { Document } from '../document';
import { headlineOf } from '../headline';
import { themeCss } from '../theme/theme-css';
import { translatorOf } from '../translator';

/** The page of a view as its route returns it. */
export function renderView(view: PageView, language: Language = 'en', base = '/status/acme'): string {
  const t = translatorOf(language);
  const headline = headlineOf(view);
  const place = { base, lang: undefined };
  return `<!doctype html>${renderToStaticMarkup(
    <Document
      page={view.page}
      theme={themeCss(view.page.theme)}
      place={place}
      path=""
      origin="https://pharos.example.com/status/acme"
      title={t.messages.banner[headline.message]}
      tone={headline.tone}
      canSubscribe={false}
      t={t}
    >
      <CurrentStatus view={view} headline={headline} place={place} t={t} />
    </Document>,
  )}`;
}
