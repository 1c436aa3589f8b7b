import { X } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { SelectField, TextArea, TextField } from '@/components/ui/forms/field';
import { type FormState, formatFieldError } from '@/components/ui/forms/form-state';
import { LANGUAGES, type Language } from '@/lib/schemas/language';
import { nameOfLanguage, translationName } from './translation-names';

type Text = { name: string; label: string; isLong?: boolean };

type Props = {
  /** The texts that can be translated. */
  texts: readonly Text[];
  /** Texts that have no field here, and keep their translations. */
  kept?: readonly string[];
  values: FormState['values'];
  error?: string;
  /** Unfolded although there is none yet. */
  isOpen?: boolean;
};

/** The texts of an incident or update in other languages of status pages, folded until there is one. */
export function TranslationFields({ texts, kept = [], values, error, isOpen: isUnfolded = false }: Props) {
  const [typed, setTyped] = useState(values);
  const [languages, setLanguages] = useState(() =>
    LANGUAGES.filter((each) => isTranslated(texts, each, values)),
  );
  const [isOpen, setOpen] = useState(isUnfolded || languages.length > 0 || error !== undefined);
  const left = LANGUAGES.filter((language) => !languages.includes(language));
  const bind = (name: string) => ({
    name,
    value: typed[name] ?? '',
    onChange: ({ target }: { target: { value: string } }) => setTyped({ ...typed, [name]: target.value }),
  });
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="cursor-pointer text-sm font-medium">Translations</summary>
      <div className="mt-2 flex flex-col gap-4">
        <p className="text-xs text-muted">
          Shown to visitors and sent to subscribers who read that language. All others get the text above.
        </p>
        {languages.map((language) => (
          <TranslatedTexts
            key={language}
            language={language}
            texts={texts}
            bind={bind}
            onRemove={() => setLanguages(languages.filter((each) => each !== language))}
          />
        ))}
        {left.length === 0 ? null : (
          <SelectField
            name="translateInto"
            label="Add a language"
            options={[
              { value: '', label: 'Select a language' },
              ...left.map((language) => ({ value: language, label: nameOfLanguage(language) })),
            ]}
            value=""
            onChange={({ target }) => setLanguages(inOrder([...languages, target.value]))}
            className="w-full sm:w-56"
          />
        )}
        {error ? <p className="text-sm text-bad">{formatFieldError('A translation', error)}</p> : null}
      </div>
      {kept.flatMap((name) =>
        LANGUAGES.map((language) => {
          const own = translationName(language, name);
          return values[own] ? <input key={own} type="hidden" name={own} value={values[own]} /> : null;
        }),
      )}
    </details>
  );
}

type TranslatedTextsProps = {
  language: Language;
  texts: readonly Text[];
  bind: (name: string) => {
    name: string;
    value: string;
    onChange: (event: { target: { value: string } }) => void;
  };
  onRemove: () => void;
};

function TranslatedTexts({ language, texts, bind, onRemove }: TranslatedTextsProps) {
  return (
    <fieldset className="flex flex-col gap-2 border-l-2 border-line pl-3">
      <legend className="sr-only">{nameOfLanguage(language)}</legend>
      {texts.map(({ name, label, isLong }, place) => {
        const field = {
          ...bind(translationName(language, name)),
          label: `${label} (${nameOfLanguage(language)})`,
          lang: language,
        };
        return (
          <div key={name} className="flex items-end gap-2">
            {isLong ? (
              <TextArea {...field} className="flex-1 [&_textarea]:font-sans" rows={3} />
            ) : (
              <TextField {...field} className="flex-1" />
            )}
            {place === 0 ? (
              <Button
                icon={<X />}
                className="h-9"
                aria-label={`Remove ${nameOfLanguage(language)}`}
                onClick={onRemove}
              />
            ) : null}
          </div>
        );
      })}
    </fieldset>
  );
}

function isTranslated(texts: readonly Text[], language: Language, values: Props['values']): boolean {
  return texts.some(({ name }) => Boolean(values[translationName(language, name)]));
}

function inOrder(languages: readonly string[]): Language[] {
  return LANGUAGES.filter((language) => languages.includes(language));
}
