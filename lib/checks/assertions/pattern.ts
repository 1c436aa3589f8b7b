import { RE2JS } from 're2js';
import type { WorkLimit } from './work-limit';

export const MAX_PATTERN_LENGTH = 500;
/** Instructions of a compiled pattern. */
const MAX_PROGRAM = 500;
/** All counted repetitions of a pattern together: compiling takes as long as they are many. */
const MAX_REPETITIONS = 1000;

const TOO_COMPLEX = 'is too complex';

/** A pattern in the syntax of RE2, which takes linear time. */
export class Pattern {
  readonly #program: RE2JS;

  /** Throws if it is not valid, with a message that continues "the pattern …". */
  constructor(text: string) {
    if (text.length > MAX_PATTERN_LENGTH || countRepetitions(text) > MAX_REPETITIONS)
      throw new Error(TOO_COMPLEX);
    this.#program = compile(text);
    if (this.#program.programSize() > MAX_PROGRAM) throw new Error(TOO_COMPLEX);
  }

  /** Whether it matches a part of the text. Throws an `EvaluationError` if that may take too long. */
  isIn(text: string, limit: WorkLimit): boolean {
    return this.#run(text, limit, () => this.#program.test(text));
  }

  /** Whether it matches the whole text. Throws an `EvaluationError` if that may take too long. */
  isWhole(text: string, limit: WorkLimit): boolean {
    return this.#run(text, limit, () => this.#program.testExact(text));
  }

  #run(text: string, limit: WorkLimit, test: () => boolean): boolean {
    limit.spend(text.length * this.#program.programSize(), 'the text is too long for this pattern');
    const found = test();
    // What it remembers of a long text can be megabytes, and each monitor has its own patterns.
    this.#program.reset();
    return found;
  }
}

function compile(text: string): RE2JS {
  try {
    return RE2JS.compile(text);
  } catch (error) {
    // "invalid" after "is not valid" would be a double negative.
    const reason =
      error instanceof Error ? error.message.replace(/^error parsing regexp: (invalid )?/, '') : '';
    throw new Error(reason === '' ? 'is not valid' : `is not valid: ${reason}`, { cause: error });
  }
}

function countRepetitions(text: string): number {
  const bounds = [...text.matchAll(/\{(\d+)(?:,(\d*))?\}/g)];
  return bounds.reduce((sum, [, least, most]) => sum + Number(most || least), 0);
}
