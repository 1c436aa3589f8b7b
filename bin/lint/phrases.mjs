/**
 * Phrases that the glossary in ARCHITECTURE.md replaces, as regular expressions, each with what to write instead.
 * Word boundaries at both ends are implied; case is ignored.
 * @type {Record<string, string>}
 */
export const PHRASES = {
  // Terms
  spokesman: 'reported region',
  'what dies': 'crashed processes',
  // Sentences
  'as it were': 'delete it',
  'buries those': 'releases the claims of dead workers',
  'come whole': 'are not paginated',
  'decide by code': 'branch on code',
  'for company': 'batching window',
  'it contradicts what': 'conflicts with',
  'marked fields': 'highlighted fields',
  'name server to ask': 'resolver to use',
  'restarts what': 'restarts crashed processes',
  'say where events': 'register a webhook endpoint',
  'starts again what': 'restarts crashed processes',
  'there is an open incident': 'name the severity: partial outage',
};

/** Identifiers that were renamed, matched as parts of words and with case. */
const IDENTIFIERS =
  /asksAnew|settlePages|findSpokesman|keepTold|requireRoom|requireReach|SettledTry|finishTries|TryList|DeliveryLanes|DutyDrain|runUntilRelieved|MOST_[A-Z]|_AT_MOST/;

/** Files that quote phrases: this one, its test, and the glossary. */
const EXCEPTIONS = ['bin/lint/phrases.mjs', 'bin/lint/phrases.test.ts', 'ARCHITECTURE.md'];

/** A phrase may be broken by a line end, with the markup of a comment. */
const patterns = Object.entries(PHRASES).map(([phrase, instead]) => ({
  pattern: new RegExp(`(?<![\\w-])(?:${phrase.replaceAll(' ', '(?:\\s|\\*|//|#)+')})(?![\\w-])`, 'gi'),
  instead,
}));

/**
 * Every old phrase in the texts (path → text), as sorted lines `path:line message`.
 * @param {Iterable<[string, string]>} texts
 * @returns {string[]}
 */
export function findPhrases(texts) {
  return [...texts]
    .filter(([path]) => !EXCEPTIONS.includes(path))
    .flatMap(([path, text]) =>
      [...patterns, { pattern: new RegExp(IDENTIFIERS, 'g'), instead: 'a name of the glossary' }].flatMap(
        ({ pattern, instead }) =>
          [...text.matchAll(pattern)].map(({ 0: found, index }) => {
            const line = text.slice(0, index).split('\n').length;
            return `${path}:${line} "${found.replaceAll(/\s+/g, ' ')}" is an old phrase: ${instead}`;
          }),
      ),
    )
    .sort();
}
