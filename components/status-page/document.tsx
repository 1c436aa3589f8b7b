import type { ReactNode } from 'react';
import type { PageHead } from '@/lib/domain/status-pages/public/read-page-view';
import { LANGUAGES } from '@/lib/schemas/language';
import { isLinkUrl } from '@/lib/schemas/status-pages/brand';
import { Logo, OwnLinks, PoweredBy, type ServiceName } from './brand';
import { REFRESH_SCRIPT } from './freshness';
import { iconUrl, Sprite } from './icons';
import { linkTo, type PagePlace, readImage } from './links';
import { MESSAGES } from './messages';
import type { StateTone } from './state';
import { STYLESHEET } from './stylesheet';
import { type ThemeCss, themeCss } from './theme/theme-css';
import type { Translator } from './translator';

type Props = {
  page: PageHead;
  theme: ThemeCss;
  place: PagePlace;
  /** The path below the page's own: empty or starting with a slash. */
  path: string;
  query?: Record<string, string>;
  /** The absolute URL of the page; null if the service does not know its own. */
  origin: string | null;
  /** Shown in the browser tab before the page's name. */
  title: string;
  tone: StateTone;
  canSubscribe: boolean;
  service: ServiceName;
  /** Above the content, out of reach of its refresh, which would discard input. */
  search?: ReactNode;
  /** Neither refreshed nor indexed by search engines: a form, whose input a refresh would discard, or a preview. */
  isStill?: boolean;
  t: Translator;
  children: ReactNode;
};

/** The whole document. It works without its only script, which just keeps it up to date. */
export function Document(props: Props) {
  const { page, theme, place, path, query, canSubscribe, service, isStill = false, t, children } = props;
  const { messages } = t;
  return (
    <html lang={t.language}>
      <Head {...props} />
      <body>
        <a className="skip" href="#main">
          {messages.skip}
        </a>
        <Sprite />
        <header>
          <h1>
            <a href={linkTo(place, '')}>
              <Logo page={page} place={place} schemes={theme.schemes} />
              {page.name}
            </a>
          </h1>
          <nav aria-label={page.name}>
            {path === '' ? null : <a href={linkTo(place, '')}>{messages.currentStatus}</a>}
            {path === '/history' ? null : <a href={linkTo(place, '/history')}>{messages.history}</a>}
            <OwnLinks links={page.links} place="header" />
            {canSubscribe ? (
              <a className="act" href={linkTo(place, '/subscribe')}>
                {messages.subscription.link}
              </a>
            ) : null}
          </nav>
          {path === '' && page.description ? <p className="about">{page.description}</p> : null}
        </header>
        {props.search}
        <main id="main" tabIndex={-1}>
          {page.announcement === null ? null : <AnnouncementBar announcement={page.announcement} />}
          {children}
        </main>
        <footer>
          <p>
            <a href={`${place.base}/feed.atom`}>{messages.feed}</a>
            <a href={`${place.base}/maintenance.ics`}>{messages.calendar}</a>
            <OwnLinks links={page.links} place="footer" />
          </p>
          <nav aria-label={messages.languages}>
            {LANGUAGES.map((lang) => (
              <a
                key={lang}
                href={linkTo({ ...place, lang }, path, query)}
                lang={lang}
                hrefLang={lang}
                aria-current={lang === t.language ? 'true' : undefined}
              >
                {MESSAGES[lang].language}
              </a>
            ))}
          </nav>
          {page.poweredBy ? <PoweredBy service={service} t={t} /> : null}
        </footer>
        {isStill ? null : <p id="live" role="status" className="unseen" />}
        {isStill ? null : <script>{REFRESH_SCRIPT}</script>}
      </body>
    </html>
  );
}

function Head({ page, theme, place, path, query = {}, origin, title, tone, isStill = false }: Props) {
  const description = page.description || title;
  const address = origin === null || isStill ? null : linkTo({ base: origin, lang: undefined }, path, query);
  return (
    <head>
      <meta charSet="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>{`${title} – ${page.name}`}</title>
      {isStill || page.noindex ? <meta name="robots" content="noindex" /> : null}
      <meta name="description" content={description} />
      <meta name="theme-color" content={theme.chrome.own} />
      {theme.chrome.dark === null ? null : (
        <meta name="theme-color" content={theme.chrome.dark} media="(prefers-color-scheme: dark)" />
      )}
      <meta property="og:type" content="website" />
      <meta property="og:title" content={`${title} – ${page.name}`} />
      <meta property="og:description" content={description} />
      <meta property="og:site_name" content={page.name} />
      {address === null ? null : <meta property="og:url" content={address} />}
      {address === null ? null : <link rel="canonical" href={address} />}
      <link rel="icon" href={readImage(place, page.faviconUrl)?.src ?? iconUrl(tone)} />
      <link rel="alternate" type="application/atom+xml" title={page.name} href={`${place.base}/feed.atom`} />
      <link rel="alternate" type="application/rss+xml" title={page.name} href={`${place.base}/feed.rss`} />
      <style>{STYLESHEET}</style>
      <style>{theme.css}</style>
    </head>
  );
}

/** Colors of error pages. */
export const PLAIN_THEME = themeCss({
  appearance: 'automatic',
  primaryColor: '#2563eb',
  backgroundColor: '#ffffff',
  textColor: '#18181b',
});

/** An error page, the same for every request. */
export function PlainDocument({ title, text, t }: { title: string; text: string; t: Translator }) {
  return (
    <html lang={t.language}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>{title}</title>
        <link rel="icon" href="data:," />
        <style>{STYLESHEET}</style>
        <style>{PLAIN_THEME.css}</style>
      </head>
      <body>
        <main className="plain">
          <h1>{title}</h1>
          <p>{text}</p>
        </main>
      </body>
    </html>
  );
}

type AnnouncementBarProps = { announcement: NonNullable<PageHead['announcement']> };

/** A line above the page. Copies of a page find it by its first attributes (ANNOUNCEMENT_MARKS), to leave it out once it has ended. */
function AnnouncementBar({ announcement: { text, url, endsAt } }: AnnouncementBarProps) {
  return (
    <p id="announcement" data-ends={endsAt}>
      {url !== null && isLinkUrl(url) ? (
        <a href={url} rel="noopener">
          {text}
        </a>
      ) : (
        text
      )}
    </p>
  );
}
