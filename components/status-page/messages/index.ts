import type { TextSet } from '@/lib/schemas/language/texts';
import de from './de.json' with { type: 'json' };
import en from './en.json' with { type: 'json' };
import es from './es.json' with { type: 'json' };
import fr from './fr.json' with { type: 'json' };
import ja from './ja.json' with { type: 'json' };
import pt from './pt.json' with { type: 'json' };

/** Every text of public status pages. For translators: lib/schemas/language/README.md. */
export const MESSAGES: TextSet<typeof en> = { en, de, fr, es, ja, pt };
