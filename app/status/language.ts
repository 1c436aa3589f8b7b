import { isLanguage, type Language, negotiateLanguage } from '@/lib/schemas/language';

/** The language to answer in: `?lang=` where it names one that the page speaks, else what the browser likes best. */
export function chooseLanguage(request: Request): { language: Language; isChosen: boolean } {
  const asked = new URL(request.url).searchParams.get('lang');
  if (asked !== null && isLanguage(asked)) return { language: asked, isChosen: true };
  return { language: negotiateLanguage(request.headers.get('accept-language')), isChosen: false };
}
