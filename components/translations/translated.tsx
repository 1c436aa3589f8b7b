import type { Translations } from '@/lib/schemas/incidents/translations';
import { LANGUAGES } from '@/lib/schemas/language';
import { listTranslated, nameOfLanguage } from './translation-names';

/** The translations of an update, folded; nothing without any. */
export function Translated({ translations }: { translations: Translations<'message'> }) {
  const languages = listTranslated(translations);
  if (languages === '') return null;
  return (
    <details className="text-xs text-muted">
      <summary className="cursor-pointer">Also in {languages}</summary>
      <dl className="mt-1 flex flex-col gap-1">
        {LANGUAGES.map((language) =>
          translations[language] === undefined ? null : (
            <div key={language}>
              <dt className="font-medium">{nameOfLanguage(language)}</dt>
              <dd lang={language} className="max-w-[75ch] whitespace-pre-line text-ink wrap-anywhere">
                {translations[language].message}
              </dd>
            </div>
          ),
        )}
      </dl>
    </details>
  );
}
