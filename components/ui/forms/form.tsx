'use client';

import {
  type ComponentProps,
  type RefObject,
  startTransition,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react';
import { Banner } from '../banner';
import { ButtonLink } from '../navigation/button-link';
import { type FormState, joinRepeated, type MendableState, readTyped } from './form-state';
import { type Edited, listMended } from './mended-errors';
import { SubmitButton } from './submit-button';

type Props = Omit<ComponentProps<'form'>, 'action' | 'onSubmit'> & {
  action: (form: FormData) => void;
  /** From `useSubmission`. */
  state: MendableState;
  together?: Edited['together'];
};

/**
 * A form over a server action. Works without scripts; with them it keeps the typed values, announces errors, focuses
 * the first invalid field, or scrolls to the message if there is none, and takes errors back as they are mended.
 */
export function Form({ action, state, together, children, ...rest }: Props) {
  const form = useRef<HTMLFormElement>(null);
  const { attempt, message } = state;
  useMending(form, state, together);

  useEffect(() => {
    if (attempt === 0) return;
    const invalid = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    invalid?.closest('details')?.setAttribute('open', '');
    if (invalid) invalid.focus();
    else form.current?.querySelector('[role="alert"]')?.scrollIntoView({ block: 'nearest' });
  }, [attempt]);

  return (
    <form
      ref={form}
      action={action}
      // React resets a form after its action; submitted by hand, it keeps its values.
      onSubmit={(event) => {
        event.preventDefault();
        const typed = joinRepeated(new FormData(event.currentTarget));
        startTransition(() => action(typed));
      }}
      noValidate
      {...rest}
    >
      <div role="alert" className="empty:sr-only">
        {message ? (
          <Banner key={attempt} tone={message.tone}>
            {message.text}
          </Banner>
        ) : null}
      </div>
      {children}
    </form>
  );
}

const EDITS = ['input', 'change', 'click'];

/** Reports the errors that edits have mended since the last attempt. */
function useMending(
  form: RefObject<HTMLFormElement | null>,
  state: MendableState,
  together: Edited['together'],
) {
  const { attempt, errors, mend } = state;
  const before = useRef<FormState['values']>({});
  const hasErrors = Object.keys(errors).length > 0;
  const report = useEffectEvent(() => {
    if (form.current === null) return;
    const edited = { ...readEdited(form.current), before: before.current, together };
    const mended = listMended(Object.keys(errors), edited);
    if (mended.length > 0) mend(mended);
  });

  // Passwords are emptied by each attempt.
  useEffect(() => {
    if (attempt > 0 && form.current) before.current = readTyped(new FormData(form.current));
  }, [attempt, form]);
  useEffect(() => {
    const element = form.current;
    if (!hasErrors || element === null) return;
    const stop = new AbortController();
    // Fields that React controls have their new value after the event.
    const onEdit = () => void setTimeout(() => stop.signal.aborted || report());
    for (const type of EDITS) element.addEventListener(type, onEdit, { signal: stop.signal });
    return () => stop.abort();
  }, [hasErrors, form]);
  // What else changed, such as a list that was filled in from a file.
  useEffect(() => {
    if (hasErrors) report();
  });
}

function readEdited(form: HTMLFormElement): Omit<Edited, 'before'> {
  const find = (name: string) => form.elements.namedItem(name);
  return {
    now: readTyped(new FormData(form)),
    hasField: (name) => find(name) !== null,
    isStillWrong: (name) => {
      const field = find(name);
      return field instanceof Element && field.matches(':invalid');
    },
  };
}

type FormButtonsProps = { cancelHref: string; isPending: boolean; children: string };

/** The last row of a form: a link to cancel, and the button that submits, whose text is `children`. */
export function FormButtons({ cancelHref, isPending, children }: FormButtonsProps) {
  return (
    <div className="flex justify-end gap-2 border-t border-line pt-4">
      <ButtonLink size="large" href={cancelHref}>
        Cancel
      </ButtonLink>
      <SubmitButton tone="primary" size="large" isPending={isPending}>
        {children}
      </SubmitButton>
    </div>
  );
}

/** Fields whose values are needed while they are typed; `bind` returns the attributes of one by its name. */
export function useTyped<Values extends Record<string, string>>(
  initial: Values,
  errors: FormState['errors'],
) {
  const [typed, setTyped] = useState(initial);
  const bind = (name: keyof Values & string) => ({
    name,
    value: typed[name],
    error: errors[name],
    onChange: (event: { target: { value: string } }) => setTyped({ ...typed, [name]: event.target.value }),
  });
  return { typed, setTyped, bind };
}
