import type { en } from './en';

/** A text by plural form; `{n}` is the number. A missing form falls back to `other`. */
export type Plural = { other: string } & Partial<Record<Intl.LDMLPluralRule, string>>;

/** The texts of another language, with the placeholders of the English ones. */
type TextsLike<English> = {
  [Key in keyof English]: English[Key] extends string
    ? string
    : English[Key] extends Plural
      ? Plural
      : TextsLike<English[Key]>;
};

/** Every text of the public page in one language. */
export type Messages = TextsLike<typeof en>;
