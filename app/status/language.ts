import Negotiator from 'negotiator';
import { LANGUAGES, type Language } from '@/components/status-page/messages';

/** The language to answer in: `?lang=` where it names one that the page speaks, else what the browser likes best. */
export function chooseLanguage(request: Request): { language: Language; isChosen: boolean } {
  const asked = new URL(request.url).searchParams.get('lang');
  const chosen = LANGUAGES.find((language) => language === asked);
  if (chosen) return { language: chosen, isChosen: true };
  const headers = { 'accept-language': request.headers.get('accept-language') ?? undefined };
  const liked = new Negotiator({ headers }).language([...LANGUAGES]);
  return { language: LANGUAGES.find((language) => language === liked) ?? LANGUAGES[0], isChosen: false };
}
