import type { TextSet } from '@/lib/schemas/language/texts';
import de from './de.json';
import en from './en.json';
import es from './es.json';
import fr from './fr.json';
import ja from './ja.json';
import pt from './pt.json';

/** Every text of public status pages. For translators: lib/schemas/language/README.md. */
export const MESSAGES: TextSet<typeof en> = { en, de, fr, es, ja, pt };
