'use client';

import { useRouter } from 'next/navigation';
import {
  type FormEvent,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useTransition,
} from 'react';
import { Button } from '../button';
import { ButtonLink } from '../navigation/button-link';
import { hrefWith } from '../navigation/href-with';
import { Sheet } from '../sheet';
import { countFilters } from './count-filters';

/** Long enough to type a date, whose parts are each a change. */
const TYPING_MS = 300;

type Query = Readonly<Record<string, unknown>>;

/** `query` is what the list shows, by the names of the fields. */
type Props = { path: string; label: string; query: Query; children: ReactNode };

/** Filters a list through the URL as soon as a field changes. Without scripts, it is a form with a button. */
export function FilterForm({ path, label, query, children }: Props) {
  const router = useRouter();
  const form = useRef<HTMLFormElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [isApplying, startApplying] = useTransition();
  const filters = countFilters(query);

  const apply = (fields: HTMLFormElement, delayMs: number) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      timer.current = undefined;
      const href = hrefWith(path, readFields(fields));
      startApplying(() => router.push(href, { scroll: false }));
    }, delayMs);
  };

  // Somebody was faster than the script: their events are gone, but not what they typed.
  const applyTyped = useEffectEvent(() => {
    if (form.current && isChanged(form.current)) apply(form.current, TYPING_MS);
  });
  useEffect(() => {
    applyTyped();
    return () => clearTimeout(timer.current);
  }, []);
  // The URL changed by other means than a field, such as the back button or a link.
  useEffect(() => {
    if (!isApplying && timer.current === undefined) showQuery(form.current, query);
  }, [isApplying, query]);

  const onChange = ({ currentTarget, target }: FormEvent<HTMLFormElement>) =>
    apply(currentTarget, target instanceof HTMLSelectElement ? 0 : TYPING_MS);
  return (
    <form
      ref={form}
      action={path}
      aria-label={label}
      aria-busy={isApplying}
      onChange={onChange}
      // Browsers would put back what a field had before the page was loaded again, as if somebody had typed it.
      autoComplete="off"
      className="flex flex-wrap items-end gap-3"
    >
      <Sheet id={useId()} label="Filters" count={filters}>
        {children}
        <noscript>
          <Button type="submit" size="large">
            Apply
          </Button>
        </noscript>
      </Sheet>
      {filters > 0 ? (
        <ButtonLink tone="bare" size="large" href={path}>
          Clear filters
        </ButtonLink>
      ) : null}
    </form>
  );
}

function readFields(form: HTMLFormElement): Record<string, string> {
  const entries = [...new FormData(form)].flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value]] : [],
  );
  return Object.fromEntries(entries);
}

type FilterField = HTMLSelectElement | HTMLInputElement;

function listFields(form: HTMLFormElement | null): FilterField[] {
  const isField = (element: Element): element is FilterField =>
    element instanceof HTMLSelectElement || element instanceof HTMLInputElement;
  return [...(form?.elements ?? [])].filter(isField);
}

/** Whether a field has another value than the one it was rendered with. */
function isChanged(form: HTMLFormElement): boolean {
  return listFields(form).some((field) =>
    field instanceof HTMLInputElement
      ? field.value !== field.defaultValue
      : field.selectedIndex !==
        Math.max(
          0,
          [...field.options].findIndex((option) => option.defaultSelected),
        ),
  );
}

function showQuery(form: HTMLFormElement | null, query: Query): void {
  for (const field of listFields(form)) {
    const value = String(query[field.name] ?? '');
    if (field.value !== value) field.value = value;
  }
}
