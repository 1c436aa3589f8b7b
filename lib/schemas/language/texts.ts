import { fill } from '@/lib/core/text';
import type { Language } from '@/lib/schemas/language';

/** A text by plural category of its language; `{n}` is the number. A category without a form has the form `other`. */
export type Plural = { other: string } & Partial<Record<Intl.LDMLPluralRule, string>>;

/** The texts of a language, with the keys of the English ones. */
type TextsLike<English> = {
  [Key in keyof English]: English[Key] extends string
    ? string
    : English[Key] extends Plural
      ? Plural
      : TextsLike<English[Key]>;
};

/** A set of texts in every language: one that lacks a text does not compile. The rest is tested (lib/testing/describe-texts.ts). */
export type TextSet<English> = Record<Language, TextsLike<English>>;

/** Created once, because that is slow. */
const rules = new Map<Language, Intl.PluralRules>();

/** The form of a text for `n` things, with `{n}` filled in as `format` writes it: as plain digits by default. */
export function fillPlural(
  forms: Plural,
  n: number,
  language: Language,
  format: (n: number) => string = String,
): string {
  const known = rules.get(language) ?? new Intl.PluralRules(language);
  rules.set(language, known);
  return fill(forms[known.select(n)] ?? forms.other, { n: format(n) });
}
