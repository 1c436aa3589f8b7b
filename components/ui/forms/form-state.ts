import type { DomainError } from '@/lib/core/errors';
import { splitList } from '@/lib/core/text';

/** What a form shows after an attempt: its errors and the values that were typed. */
export type FormState = {
  /** Number of attempts: the same error twice in a row is announced twice. */
  attempt: number;
  /** About the whole form; null if there is none. */
  message: { tone: 'bad' | 'slow'; text: string } | null;
  /** Predicates by field name: "must not be empty". */
  errors: Record<string, string>;
  values: Record<string, string>;
};

/** A state whose errors go as they are mended: from `useSubmission`, which takes them back by name. */
export type MendableState<S extends FormState = FormState> = S & { mend: (names: readonly string[]) => void };

/** The state of a form that has not been submitted yet. */
export function freshState(values: Record<string, string> = {}): FormState {
  return { attempt: 0, message: null, errors: {}, values };
}

/** The attributes of a text field or choice by its name: its last typed value and its error. */
export function fieldOf({ values, errors }: FormState, name: string) {
  return { name, defaultValue: values[name], error: errors[name] };
}

/** The submitted values by field name, to show them again. Several values of one field are joined with commas. */
export function readTyped(form: FormData, secret: readonly string[] = []): Record<string, string> {
  const names = [...new Set(form.keys())].filter((name) => !name.startsWith('$') && !secret.includes(name));
  return Object.fromEntries(names.map((name) => [name, form.getAll(name).join(',')]));
}

/** The form with one value per name; several values of one field are joined with commas. */
export function joinRepeated(form: FormData): FormData {
  const joined = new FormData();
  for (const [name, value] of Object.entries(readTyped(form))) joined.set(name, value);
  return joined;
}

/** The IDs in the value of a multiple choice, which are joined with commas. */
export function splitIds(joined = ''): string[] {
  return joined.split(',').filter(Boolean);
}

/** The value of a text field; empty without one. Browsers submit line breaks as CR LF. */
export function readText(form: FormData, name: string): string {
  return String(form.get(name) ?? '').replaceAll('\r\n', '\n');
}

/** The values of a multiple choice, joined or not: at most one more than `limit`, for a schema to reject. */
export function readChosen(form: FormData, name: string, limit: number): string[] {
  return splitList(form.getAll(name).join(','), ',', limit);
}

/** The form after an error: details next to their fields, any other message above the form. */
export function refusedState(
  previous: FormState,
  error: DomainError,
  values: FormState['values'],
): FormState {
  const errors = fieldErrors(error);
  const hasFieldErrors = Object.keys(errors).length > 0;
  const text = hasFieldErrors ? 'Fix the highlighted fields.' : error.message;
  const tone = error.code === 'PLAN_LIMIT_EXCEEDED' ? 'slow' : 'bad';
  return { attempt: previous.attempt + 1, message: { tone, text }, errors, values };
}

/** Fields whose parts have inputs of their own. */
const PARTED = new Set(['credentials']);
/** Fields whose parts are named by people. */
const NAMED = new Set(['headers']);

/**
 * The first error of each field. Parts of the items of a list, and of a field with several inputs, have errors of their own, by
 * path: `assertions.2.target`, `credentials.token`.
 */
export function fieldErrors(error: DomainError): Record<string, string> {
  const errors: Record<string, string> = {};
  for (const { path, message } of error.details ?? []) {
    const [field = '', ...rest] = path.split('.');
    if ((rest.length > 1 && !Number.isNaN(Number(rest[0]))) || PARTED.has(field)) errors[path] ??= message;
    else errors[field] ??= NAMED.has(field) && rest.length > 0 ? `“${rest.join('.')}” ${message}` : message;
  }
  return errors;
}

/**
 * A predicate as a sentence: "URL must be valid.", "Enter a name.", "Select at least one monitor." An error that is already
 * a sentence is kept.
 */
export function formatFieldError(label: string, error: string): string {
  if (/^[A-Z]/.test(error)) return error;
  if (error.startsWith('must include at least one')) return `Select${error.slice('must include'.length)}.`;
  if (error !== 'must not be empty') return `${label} ${error}.`;
  const noun = /^[A-Z]{2}/.test(label) ? label : label.charAt(0).toLowerCase() + label.slice(1);
  const article = noun.endsWith('password') ? 'your' : /^[aeio]/i.test(noun) ? 'an' : 'a';
  return `Enter ${article} ${noun}.`;
}
