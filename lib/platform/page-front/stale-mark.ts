import { LANGUAGES, type Language } from '@/lib/schemas/language';

/** Where a page wants the note that it could not be verified; one that has none of these stays as it is. */
export const STALE_MARK = '<!--pharos:stale-->';

const SENTENCES: Record<Language, (time: string) => string> = {
  en: (time) => `This page could not be updated. It shows what was known at ${time}.`,
  de: (time) => `Diese Seite konnte nicht aktualisiert werden. Sie zeigt den Stand von ${time}.`,
  fr: (time) => `Cette page n’a pas pu être mise à jour. Elle montre l’état connu à ${time}.`,
  es: (time) => `No se pudo actualizar esta página. Muestra lo que se sabía a las ${time}.`,
  ja: (time) => `このページを更新できませんでした。${time} 時点の情報を表示しています。`,
  pt: (time) => `Não foi possível atualizar esta página. Ela mostra o que se sabia às ${time}.`,
};

/** The page with a note, in its language, that says when what it shows was last verified; null where it has no place for it. */
export function markStale(
  page: Buffer,
  { begunAt, language }: { begunAt: number; language: Language | null },
): Buffer | null {
  const at = page.indexOf(STALE_MARK);
  if (at < 0) return null;
  const iso = new Date(begunAt).toISOString();
  const shown = `<time datetime="${iso}">${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC</time>`;
  const sentence = SENTENCES[language ?? LANGUAGES[0]](shown);
  const note = `<div class="pharos-stale" role="status">${sentence}</div>`;
  return Buffer.concat([page.subarray(0, at), Buffer.from(note), page.subarray(at + STALE_MARK.length)]);
}
