/** A possible search result. */
export type SearchEntry = {
  href: string;
  label: string;
  /** Where it is: `POST /monitors`. */
  hint: string;
  kind: 'section' | 'field';
};

/** Entries that contain every word of the query, best first: operations before fields, beginnings before middles. */
export function rankEntries(entries: readonly SearchEntry[], query: string, limit: number): SearchEntry[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  return entries
    .map((entry) => ({ entry, score: scoreEntry(entry, words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || lengthOf(a.entry) - lengthOf(b.entry))
    .slice(0, limit)
    .map(({ entry }) => entry);
}

/** Of two equal matches, the shorter one ranks first. */
function lengthOf({ label, hint }: SearchEntry): number {
  return label.length + hint.length;
}

function scoreEntry({ label, hint, kind }: SearchEntry, words: string[]): number {
  const [name, place] = [label.toLowerCase(), hint.toLowerCase()];
  let score = kind === 'section' ? 10 : 0;
  for (const word of words) {
    // A field is found by its own name; its location only narrows the search.
    const best = Math.max(scoreWord(name, word, 8), scoreWord(place, word, kind === 'section' ? 6 : 1));
    if (best === 0) return 0;
    score += best;
  }
  return kind === 'field' && !words.some((word) => name.includes(word)) ? 0 : score;
}

/** Highest for the whole text, lower for the beginning of a word, lowest for the middle. */
function scoreWord(text: string, word: string, weight: number): number {
  const at = text.indexOf(word);
  if (at < 0) return 0;
  if (text === word) return weight * 2;
  return at === 0 || /[^a-z0-9]/.test(text.charAt(at - 1)) ? weight : weight / 2;
}
