import { fill } from '@/lib/core/text';
import { LANGUAGES, type Language } from '@/lib/schemas/language';
import { STALE_MARK } from './application';
import SENTENCES from './stale-note.json' with { type: 'json' };

/** Adds a note to a page that has the mark for it, in its language, with the time it was last verified (epoch milliseconds). */
export function markStale(
  page: Buffer,
  { begunAt, language }: { begunAt: number; language: Language | null },
): Buffer {
  const at = page.indexOf(STALE_MARK);
  if (at < 0) return page;
  const iso = new Date(begunAt).toISOString();
  const shown = `<time datetime="${iso}">${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC</time>`;
  const sentence = fill(SENTENCES[language ?? LANGUAGES[0]], { time: shown });
  const note = `<div class="pharos-stale" role="status">${sentence}</div>`;
  return Buffer.concat([page.subarray(0, at), Buffer.from(note), page.subarray(at + STALE_MARK.length)]);
}
