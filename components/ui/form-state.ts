import type { DomainError } from '@/lib/core/errors';
import { splitList } from '@/lib/core/parse-json';

/** What a form shows after a try: what was wrong, and what was typed. */
export type FormState = {
  /** Counts the tries, so that a second failure in the same words is announced again. */
  attempt: number;
  /** About the whole form; null where there is nothing to say. */
  message: { tone: 'bad' | 'slow'; text: string } | null;
  /** Predicates by field name: "must not be empty". */
  errors: Record<string, string>;
  values: Record<string, string>;
};

/** A form that was not sent yet. */
export function freshState(values: Record<string, string> = {}): FormState {
  return { attempt: 0, message: null, errors: {}, values };
}

/** What was typed, to be shown again; several values of one name are joined with commas. */
export function readTyped(form: FormData, secret: readonly string[] = []): Record<string, string> {
  const typed = new Map<string, string[]>();
  for (const [name, value] of form) {
    if (name.startsWith('$') || secret.includes(name)) continue;
    const values = typed.get(name);
    if (values) values.push(String(value));
    else typed.set(name, [String(value)]);
  }
  return Object.fromEntries([...typed].map(([name, values]) => [name, values.join(',')]));
}

/** The form with one field a name, several values joined with commas: a choice of many monitors is one field of it. */
export function joinRepeated(form: FormData): FormData {
  const joined = new FormData();
  for (const [name, value] of Object.entries(readTyped(form))) joined.set(name, value);
  return joined;
}

/**
 * The values of a field that can be chosen more than once, joined or not; one more than `limit` at most, for a schema
 * to refuse.
 */
export function readChosen(form: FormData, name: string, limit: number): string[] {
  return splitList(form.getAll(name).map(String).join(','), ',', limit);
}

/** The form after a refusal: each detail at its field, the rest above the form. */
export function refusedState(
  previous: FormState,
  error: DomainError,
  values: FormState['values'],
): FormState {
  const errors = fieldErrors(error);
  const isAboutFields = Object.keys(errors).length > 0;
  const text = isAboutFields ? 'Please look at the marked fields.' : error.message;
  const tone = error.code === 'PLAN_LIMIT_EXCEEDED' ? 'slow' : 'bad';
  return { attempt: previous.attempt + 1, message: { tone, text }, errors, values };
}

/** What is wrong, by field: the first word on each. */
export function fieldErrors(error: DomainError): Record<string, string> {
  const errors: Record<string, string> = {};
  for (const { path, message } of error.details ?? []) {
    const [field = '', ...rest] = path.split('.');
    errors[field] ??=
      rest.length > 0 && Number.isNaN(Number(rest[0])) ? `“${rest.join('.')}” ${message}` : message;
  }
  return errors;
}
