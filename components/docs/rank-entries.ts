/** A possible search result. */
export type SearchEntry = {
  href: string;
  label: string;
  /** Where it is: `POST /monitors`. */
  hint: string;
  kind: 'section' | 'field';
  /** What it says, as words: it is found by them after all that are found by their names. */
  words?: string;
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

function scoreEntry({ label, hint, kind, words: said = '' }: SearchEntry, words: string[]): number {
  const [name, place] = [label.toLowerCase(), hint.toLowerCase()];
  const base = kind === 'section' ? 10 : 0;
  let score = base;
  let isNamed = false;
  for (const word of words) {
    // A field is found by its own name; its location only narrows the search.
    const named = Math.max(scoreWord(name, word, 8), scoreWord(place, word, kind === 'section' ? 6 : 1));
    const best = named > 0 ? named : scoreWord(said, word, 0.5);
    if (best === 0) return 0;
    if (named > 0) isNamed = true;
    score += best;
  }
  if (!isNamed) return score - base;
  return kind === 'field' && !words.some((word) => name.includes(word)) ? 0 : score;
}

/** Highest for the whole text, lower for the beginning of a word, lowest for the middle. */
function scoreWord(text: string, word: string, weight: number): number {
  const at = text.indexOf(word);
  if (at < 0) return 0;
  if (text === word) return weight * 2;
  return at === 0 || /[^a-z0-9]/.test(text.charAt(at - 1)) ? weight : weight / 2;
}
