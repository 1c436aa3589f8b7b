/** Why an assertion cannot be evaluated, in words. It contains nothing of the response. */
export class EvaluationError extends Error {}

/**
 * Limits the work of one evaluation by counting it: the response decides how much there is, and time would depend on how busy the
 * worker is. The worst known pattern takes a quarter of a second for all of it.
 */
export class WorkLimit {
  #left = 4_000_000;

  /** Throws an `EvaluationError` with this message once the work exceeds the limit. */
  spend(steps: number, message: string): void {
    this.#left -= steps;
    if (this.#left < 0) throw new EvaluationError(message);
  }
}
