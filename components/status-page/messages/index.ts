import { de } from './de';
import { en } from './en';
import { es } from './es';
import { fr } from './fr';
import { ja } from './ja';
import type { Messages } from './messages';
import { pt } from './pt';

/** The languages of the public page; the first is for visitors who ask for none of them. */
export const LANGUAGES = ['en', 'de', 'fr', 'es', 'ja', 'pt'] as const;

export type Language = (typeof LANGUAGES)[number];

export const MESSAGES: Record<Language, Messages> = { en, de, fr, es, ja, pt };
