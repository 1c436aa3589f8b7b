import { RE2JS, RE2Set } from 're2js';
import { payForPattern } from './pattern-budget';
import type { WorkLimit } from './work-limit';

/** A pattern in the syntax of RE2, which takes linear time. It is compiled when it is first used: to create one only parses it. */
export class Pattern {
  readonly #text: string;
  #compiled: RE2JS | null = null;

  /** Throws if it is not valid or too large, with a message that continues "the pattern …". */
  constructor(text: string) {
    payForPattern(text);
    parse(text);
    this.#text = text;
  }

  /** Whether it matches a part of the text. Throws an `EvaluationError` if that may take too long. */
  isIn(text: string, limit: WorkLimit): boolean {
    return this.#run(text, limit, (program) => program.test(text));
  }

  /** Whether it matches the whole text. Throws an `EvaluationError` if that may take too long. */
  isWhole(text: string, limit: WorkLimit): boolean {
    return this.#run(text, limit, (program) => program.testExact(text));
  }

  #run(text: string, limit: WorkLimit, test: (program: RE2JS) => boolean): boolean {
    this.#compiled ??= RE2JS.compile(this.#text);
    const program = this.#compiled;
    limit.spend(text.length * program.programSize(), 'the text is too long for this pattern');
    const found = test(program);
    // What it remembers of a long text can be megabytes, and each monitor has its own patterns.
    program.reset();
    return found;
  }
}

/** Sets are compiled when they are first used; until then, RE2JS has only parsed what is in them. */
function parse(text: string): void {
  try {
    new RE2Set().add(text);
  } catch (error) {
    // "invalid" after "is not valid" would be a double negative.
    const reason =
      error instanceof Error ? error.message.replace(/^error parsing regexp: (invalid )?/, '') : '';
    throw new Error(reason === '' ? 'is not valid' : `is not valid: ${reason}`, { cause: error });
  }
}
