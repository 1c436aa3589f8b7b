import { STYLESHEET } from './stylesheet';
import type { ThemeCss } from './theme/theme-css';
import type { Translator } from './translator';

/** Why a password was rejected. */
export type PasswordProblem = 'wrong' | 'tooMany' | 'otherSite';

type Props = {
  /** Where the form is sent. */
  action: string;
  problem: PasswordProblem | null;
  theme: ThemeCss;
  t: Translator;
};

/** What a page with a password shows to others, without scripts: its colors, but neither its name nor its logo. */
export function PasswordDocument({ action, problem, theme, t }: Props) {
  const { password } = t.messages;
  return (
    <html lang={t.language}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>{password.title}</title>
        <link rel="icon" href="data:," />
        <style>{STYLESHEET}</style>
        <style>{theme.css}</style>
      </head>
      <body>
        <main className="plain">
          <h1>{password.title}</h1>
          <p>{password.text}</p>
          <form method="post" action={action}>
            <label htmlFor="password">{password.label}</label>
            <input
              id="password"
              name="password"
              type="password"
              autoComplete="current-password"
              required
              maxLength={256}
              aria-invalid={problem === 'wrong' ? true : undefined}
              aria-describedby={problem === null ? undefined : 'problem'}
            />
            <button type="submit">{password.submit}</button>
            {problem === null ? null : (
              <p id="problem" className="bad" role="alert">
                {password[problem]}
              </p>
            )}
          </form>
        </main>
      </body>
    </html>
  );
}
