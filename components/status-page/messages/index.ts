import type { Language } from '@/lib/schemas/language';
import { de } from './de';
import { en } from './en';
import { es } from './es';
import { fr } from './fr';
import { ja } from './ja';
import type { Messages } from './messages';
import { pt } from './pt';

export const MESSAGES: Record<Language, Messages> = { en, de, fr, es, ja, pt };
