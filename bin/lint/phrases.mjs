/**
 * Phrases that the glossary in ARCHITECTURE.md replaces, as regular expressions, each with what to write instead.
 * Word boundaries at both ends are implied; case is ignored.
 * @type {Record<string, string>}
 */
export const PHRASES = {
  // Terms
  anew: 'again, from scratch',
  beside: 'next to, besides',
  'e-mails?': 'email',
  'is gone': 'no longer exists',
  'goes on': 'continues',
  told: 'notified, asked, shown',
  '(tries|tried|trying) again': 'retry',
  'what waits': 'pending …',
  whoever: 'anyone who',
  answered: 'responded, got a response',
  'of one’s own': 'your own',
  "of one's own": 'your own',
  'sealed anew': 're-encrypted',
  spokesman: 'reported region',
  thrice: 'three times',
  'what dies': 'crashed processes',
  'as of its own': 'as with its own',
  // Native after a word that counts: two of which, each of which.
  '(?<!\\b(one|two|three|each|some|none|all|most|many|any|both|element|first|nearest|newer|as|for) )of (which|whom)':
    'whose, that … about',
  '(?<!\\.|\\b(if|while|when|where|or) )none is': 'no … is, nothing is',
  // Sentences
  'as it were': 'delete it',
  'before it was sure': 'before the outage was confirmed',
  'believe only': 'accept only',
  'buries those': 'releases the claims of dead workers',
  'can be looked at here': 'is logged here',
  'changes of state': 'status history',
  'come whole': 'are not paginated',
  'connection is cut': 'connection lost',
  'counts no more': 'is invalid',
  'days are days': 'dates are in UTC',
  'decide by code': 'branch on code',
  'everything of it': 'this permanently deletes',
  'for company': 'batching window',
  'is lost then': 'will be lost',
  'is watched yet': 'no monitors yet',
  'it contradicts': 'conflicts with',
  'keep it now': 'copy it now',
  'marked fields': 'highlighted fields',
  'may what': 'has … permissions',
  'more to say': 'the next update',
  'name server to ask': 'resolver to use',
  'no subscriber is mailed': 'no subscribers will be emailed',
  'refuse the question': 'reject the query',
  'restarts what': 'restarts crashed processes',
  'say where events': 'register a webhook endpoint',
  'starts again what': 'restarts crashed processes',
  'the title is said': 'the title is used',
  'there is an open incident': 'name the severity: partial outage',
  'there is nothing here': 'page not found',
  'watch something else': 'monitor a URL',
  'watch this service': 'monitor the service itself',
  'what was wrong': 'error',
  'with trouble': 'with issues',
  'works no more': 'has expired',
  'your own id of it': 'your own ID for this …',
};

/** Identifiers that were renamed, matched as parts of words and with case. */
const IDENTIFIERS =
  /asksAnew|describeTold|settlePages|findSpokesman|keepTold|requireRoom|requireReach|SettledTry|DeliveryTry|const tries\b|\btrySchema|finishTries|TryList|IdempotentAnswer|OutsideAnswer|[a-z]Told\b|\btold[A-Z]|DeliveryLanes|DutyDrain|runUntilRelieved|MOST_[A-Z]|_AT_MOST/;

/** Files that quote phrases (this one, its test, and the glossary), and texts in other languages. */
const EXCEPTIONS =
  /^(bin\/lint\/phrases\.(mjs|test\.ts)|ARCHITECTURE\.md|.*\/(messages|page-texts|service-texts)\/(?!en\.)\w+\.json)$/;

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
    .filter(([path]) => !EXCEPTIONS.test(path))
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
