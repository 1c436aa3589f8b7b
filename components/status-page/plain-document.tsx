import { STYLESHEET } from './stylesheet';
import { themeCss } from './theme/theme-css';
import type { Translator } from './translator';

/** The colours of a page that is none: like paper, and dark for who wishes it. */
export const PLAIN_THEME = themeCss({
  primaryColor: '#2563eb',
  backgroundColor: '#ffffff',
  textColor: '#18181b',
});

/** What stands where no page can: the same for everybody, whatever was asked for. */
export function PlainDocument({ says, t }: { says: { title: string; text: string }; t: Translator }) {
  const { title, text } = says;
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
