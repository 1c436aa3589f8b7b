import { LANGUAGES, type Language } from '@/lib/schemas/language';
import { STALE_MARK } from './application';

const SENTENCES: Record<Language, (time: string) => string> = {
  en: (time) => `This page could not be updated. It shows what was known at ${time}.`,
  de: (time) => `Diese Seite konnte nicht aktualisiert werden. Sie zeigt den Stand von ${time}.`,
  fr: (time) => `Cette page n’a pas pu être mise à jour. Elle montre l’état connu à ${time}.`,
  es: (time) => `No se pudo actualizar esta página. Muestra lo que se sabía a las ${time}.`,
  ja: (time) => `このページを更新できませんでした。${time} 時点の情報を表示しています。`,
  pt: (time) => `Não foi possível atualizar esta página. Ela mostra o que se sabia às ${time}.`,
};

/** Adds a note to a page that has the mark for it, in its language, with the time it was last verified (epoch milliseconds). */
export function markStale(
  page: Buffer,
  { begunAt, language }: { begunAt: number; language: Language | null },
): Buffer {
  const at = page.indexOf(STALE_MARK);
  if (at < 0) return page;
  const iso = new Date(begunAt).toISOString();
  const shown = `<time datetime="${iso}">${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC</time>`;
  const sentence = SENTENCES[language ?? LANGUAGES[0]](shown);
  const note = `<div class="pharos-stale" role="status">${sentence}</div>`;
  return Buffer.concat([page.subarray(0, at), Buffer.from(note), page.subarray(at + STALE_MARK.length)]);
}
