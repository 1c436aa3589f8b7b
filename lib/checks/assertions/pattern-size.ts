/** Range ends of the largest class that one name stands for, folded or negated: `\pL` has 1,370. */
const UNICODE_ENDS = 1600;
/** The same of `\w`, `[:alpha:]` and the like. */
const ASCII_ENDS = 16;
const CHARACTER_ENDS = 8;
/** Code points with another case are between these; a folded range is walked through them one by one. */
const FOLDED = [0x41, 0x1e943] as const;
/** That many range ends, or code points that are walked, cost as much as one instruction: about a microsecond. */
const ENDS_PER_STEP = 20;

const ATOM = String.raw`\\[pP]\{\^?\w+\}|\\[pP]\w|\\x\{[\dA-Fa-f]+\}|\\x[\dA-Fa-f]{2}|\\[0-7]{1,3}|\\.|[^\\]|\\`;
const NAMED = String.raw`\[:\^?\w+:\]`;
const TOKENS = new RegExp(
  [
    String.raw`\\Q(?<quoted>.*?)(?:\\E|$)`,
    String.raw`(?<class>\[\^?\]?(?:${NAMED}|(?!\])(?:${ATOM}))*(?:\]|$))`,
    String.raw`(?<flags>\(\?[a-zA-Z-]*\))`,
    String.raw`(?<open>\((?:\?P?<[^>]*>|\?[a-zA-Z-]*:)?)`,
    String.raw`(?<repeat>[*+?]\??|\{(?<least>0|[1-9]\d*)(?<range>,(?<most>0|[1-9]\d*)?)?\}\??)`,
    `(?<atom>${ATOM})`,
  ].join('|'),
  'gsu',
);
const CLASS_PARTS = new RegExp(`${NAMED}|${ATOM}`, 'gsu');
/** A range, or what looks like one outside of a class; the next can begin where it ends. */
const RANGES = new RegExp(`(?<from>${ATOM})(?:-(?=(?<to>${ATOM})))?`, 'gsu');

/** How much a pattern costs to compile. */
export type PatternSize = {
  /** At least the instructions of its program. */
  steps: number;
  /** About the microseconds that it takes to compile. */
  size: number;
};

type Cost = { steps: number; ends: number };
/** A group that is still open: what it contains so far, and the part that a repetition would repeat. */
type Group = Cost & { last: Cost };

/**
 * The size of a pattern of RE2, in time proportional to its length and never less than what RE2JS compiles it to. Repetitions
 * multiply, and classes count their ranges, folded. A pattern that is not valid has a size too: at least what is paid until that is found.
 */
export function sizePattern(text: string): PatternSize {
  const walked = /\(\?[a-zA-Z]*i/.test(text) ? countWalked : () => 0;
  const open: Group[] = [group()];
  for (const { 0: token, groups = {} } of text.matchAll(TOKENS)) {
    const current = open.at(-1) ?? group();
    if (groups.quoted !== undefined) for (const _ of groups.quoted) append(current, CHARACTER);
    else if (groups.open !== undefined) open.push(group());
    else if (groups.repeat !== undefined) repeat(current, groups);
    else if (groups.class !== undefined)
      append(current, { steps: 1, ends: endsOfClass(token, walked(token)) });
    else if (token === '|') append(current, BRANCH);
    else if (token === ')' && open.length > 1) {
      open.pop();
      append(open.at(-1) ?? group(), current);
    } else if (groups.flags === undefined) append(current, { steps: 1, ends: endsOf(token) });
  }
  // Groups that are never closed count once each.
  const steps = open.reduce((sum, each) => sum + each.steps, 0);
  const ends = open.reduce((sum, each) => sum + each.ends, 0) + walked(text);
  return { steps, size: text.length + steps + Math.ceil(ends / ENDS_PER_STEP) };
}

const CHARACTER: Cost = { steps: 1, ends: CHARACTER_ENDS };
/** An alternative, and the empty one that it can be. */
const BRANCH: Cost = { steps: 2, ends: 0 };

/** The beginning and end that are captured, or those of a program; and what an empty one contains. */
function group(): Group {
  return { steps: 3, ends: 0, last: { steps: 0, ends: 0 } };
}

function append(to: Group, added: Cost): void {
  to.steps += added.steps;
  to.ends += added.ends;
  to.last = { steps: added.steps, ends: added.ends };
}

function repeat(to: Group, { repeat: sign, least, range, most }: Record<string, string | undefined>): void {
  const { last } = to;
  const copies = Math.max(1, Number(least ?? 1), Number(most ?? 1));
  const isExact = sign !== undefined && least !== undefined && range === undefined;
  const repeated = {
    steps: copies * (last.steps + (isExact ? 0 : 1)) + 2,
    ends: copies * last.ends,
  };
  to.steps += repeated.steps - last.steps;
  to.ends += repeated.ends - last.ends;
  to.last = repeated;
}

/** What is walked can add its other cases, each a range of its own. */
function endsOfClass(token: string, walked: number): number {
  const parts = [...token.matchAll(CLASS_PARTS)];
  return parts.reduce((sum, [part]) => sum + endsOf(part), Math.min(2 * walked, UNICODE_ENDS));
}

function endsOf(part: string): number {
  if (/^\\[pP]/.test(part)) return UNICODE_ENDS;
  return part.length > 1 ? ASCII_ENDS : CHARACTER_ENDS;
}

/** The code points of folded ranges. */
function countWalked(text: string): number {
  let walked = 0;
  for (const { groups } of text.matchAll(RANGES)) {
    if (groups?.to === undefined) continue;
    const [from, to] = [codeOf(groups.from ?? ''), codeOf(groups.to)];
    walked += Math.max(0, Math.min(to, FOLDED[1]) - Math.max(from, FOLDED[0]) + 1);
  }
  return walked;
}

/** The code point that an atom stands for; any that is not larger, for one that is none. */
function codeOf(atom: string): number {
  const hex = /^\\x\{?([\dA-Fa-f]+)/.exec(atom)?.[1];
  if (hex !== undefined) return Number.parseInt(hex, 16);
  const octal = /^\\([0-7]+)$/.exec(atom)?.[1];
  if (octal !== undefined) return Number.parseInt(octal, 8);
  return atom.codePointAt(atom.startsWith('\\') ? 1 : 0) ?? 0;
}
