import { useActionState, useCallback, useMemo, useState } from 'react';
import type { FormState, MendableState } from './form-state';

/** The errors that were mended since an attempt, by name. */
type Mended<S> = { since: S; names: readonly string[] };

/**
 * `useActionState` for a `Form`, whose errors go as they are mended: `Form` reports their names, and the returned state has them no more.
 */
export function useSubmission<S extends FormState>(
  action: (previous: Awaited<S>, form: FormData) => S | Promise<S>,
  initial: Awaited<S>,
): [state: MendableState<Awaited<S>>, submit: (form: FormData) => void, isPending: boolean] {
  const [state, submit, isPending] = useActionState<S, FormData>(action, initial);
  const [mended, setMended] = useState<Mended<Awaited<S>>>({ since: state, names: [] });
  const names = mended.since === state ? mended.names : NONE;
  const mend = useCallback(
    (more: readonly string[]) =>
      setMended((before) => ({
        since: state,
        names: before.since === state ? [...before.names, ...more] : more,
      })),
    [state],
  );
  const shown = useMemo(() => ({ ...withoutErrors(state, names), mend }), [state, names, mend]);
  return [shown, submit, isPending];
}

const NONE: readonly string[] = [];

/** A form without some of its errors, and without the message about them once all have gone. */
export function withoutErrors<S extends FormState>(state: S, names: readonly string[]): S {
  const entries = Object.entries(state.errors);
  const left = entries.filter(([name]) => !names.includes(name));
  const message = entries.length > 0 && left.length === 0 ? null : state.message;
  return { ...state, errors: Object.fromEntries(left), message };
}
