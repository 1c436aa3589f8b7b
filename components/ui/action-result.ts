/** What a button's server action returns: an error message, or null. */
export type ActionProblem = string | null;

/** What a server action with a result returns: its value or an error message. */
export type ActionResult<T> = { value: T; problem: null } | { value: null; problem: string };
