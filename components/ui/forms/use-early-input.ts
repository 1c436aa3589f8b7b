import { type RefObject, useEffect, useEffectEvent, useRef } from 'react';

export type EarlyField = HTMLInputElement | HTMLSelectElement;

/**
 * Applies what was typed or chosen in a controlled field before the page was hydrated. React leaves it in the field, but reports no
 * change, and would reset it with the next render.
 */
export function useEarlyInput<F extends EarlyField>(
  apply: (value: string) => void,
  given?: RefObject<F | null>,
): RefObject<F | null> {
  const own = useRef<F>(null);
  const field = given ?? own;
  const applyEarly = useEffectEvent(apply);
  useEffect(() => {
    if (field.current === null || !isChanged(field.current)) return;
    const { value } = field.current;
    // Not before the router listens to changes of the URL, which is an effect of the same commit.
    const timer = setTimeout(() => applyEarly(value));
    return () => clearTimeout(timer);
  }, [field]);
  return field;
}

/** Whether a field has another value than the one it was rendered with. */
export function isChanged(field: EarlyField): boolean {
  if (field instanceof HTMLInputElement) return field.value !== field.defaultValue;
  const rendered = [...field.options].findIndex((option) => option.defaultSelected);
  return field.selectedIndex !== Math.max(0, rendered);
}
