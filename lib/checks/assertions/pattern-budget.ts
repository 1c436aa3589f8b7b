import { sizePattern } from './pattern-size';

/** Most characters of a pattern, as of a path. */
const MAX_LENGTH = 500;
/** Instructions of one pattern: a text takes as much time as they and its length multiplied. */
const MAX_STEPS = 1000;
/** Size of one pattern, about the microseconds that it takes to compile. */
const MAX_SIZE = 10_000;
/** Size of all patterns and paths of a request together. */
const MAX_SIZE_OF_ALL = 50_000;
/** A character of a path takes about as many microseconds to parse. */
const SIZE_OF_PATH_CHARACTER = 3;

/**
 * What the patterns and paths of one request, or of one monitor in a worker, may cost together. It is spent before they are parsed, and
 * one that is valid twice is paid once.
 */
export class PatternBudget {
  #left = MAX_SIZE_OF_ALL;
  readonly #problems = new Map<string, string | null>();

  /** Runs a synchronous function whose patterns and paths share this budget. */
  during<T>(run: () => T): T {
    const outer = current;
    current = this;
    try {
      return run();
    } finally {
      current = outer;
    }
  }

  /** What `find` returns, which is asked once for each text of a kind. */
  problemOf(kind: 'pattern' | 'path', text: string, find: () => string | null): string | null {
    const key = `${kind}:${text}`;
    const known = this.#problems.get(key);
    if (known !== undefined) return known;
    const problem = find();
    this.#problems.set(key, problem);
    return problem;
  }

  /** Throws if that is more than there is left. */
  spend(size: number): void {
    if (size > this.#left) throw new Error(TOO_LARGE_TOGETHER);
    this.#left -= size;
  }
}

const TOO_LARGE_TOGETHER =
  'is too large together with the other patterns and paths: send fewer of them at once, or shorter ones';

let current: PatternBudget | null = null;

/** The budget of the function that runs, or a new one. */
export function currentBudget(): PatternBudget {
  return current ?? new PatternBudget();
}

/** Pays for a pattern before it is parsed. Throws with a message that continues "the pattern …". */
export function payForPattern(text: string): void {
  requireLength(text, 'a pattern');
  const budget = currentBudget();
  budget.spend(text.length);
  const { steps, size } = sizePattern(text);
  if (steps > MAX_STEPS)
    throw new Error(
      `is too large: with its repetitions it has ${count(steps)} steps, and at most ${count(MAX_STEPS)} are allowed. Repeat less`,
    );
  if (size > MAX_SIZE)
    throw new Error(
      `is too large: its character classes take ${count(size)} steps to compile, and at most ${count(MAX_SIZE)} are allowed. Use smaller classes, or repeat them less`,
    );
  budget.spend(size - text.length);
}

/** Pays for a JSON path before it is parsed; its patterns are paid for by themselves. Throws like `payForPattern`. */
export function payForPath(text: string): void {
  requireLength(text, 'a path');
  currentBudget().spend(text.length * SIZE_OF_PATH_CHARACTER);
}

function requireLength({ length }: string, what: string): void {
  if (length > MAX_LENGTH) throw new Error(`is too large: ${what} has at most ${MAX_LENGTH} characters`);
}

function count(steps: number): string {
  return steps < 1e9 ? steps.toLocaleString('en-US') : 'billions of';
}
