import { type RefObject, useEffect, useEffectEvent, useRef } from 'react';

type Field = HTMLInputElement | HTMLSelectElement;

/**
 * Applies what was typed or chosen in a controlled field before the page was hydrated. React leaves it in the field, but reports no
 * change, and would reset it with the next render. `shown` is the field's value according to the state.
 */
export function useEarlyInput<F extends Field>(
  shown: string,
  apply: (value: string) => void,
  given?: RefObject<F | null>,
): RefObject<F | null> {
  const own = useRef<F>(null);
  const field = given ?? own;
  const isEarly = useEffectEvent(({ value }: F) => value !== shown);
  const applyEarly = useEffectEvent(apply);
  useEffect(() => {
    const element = field.current;
    if (element === null || !isEarly(element)) return;
    const { value } = element;
    // Not before the router listens to changes of the URL, which is an effect of the same commit.
    const timer = setTimeout(() => applyEarly(value));
    const cancel = () => clearTimeout(timer);
    // Whatever comes first includes it.
    element.addEventListener('input', cancel, { once: true });
    return () => {
      cancel();
      element.removeEventListener('input', cancel);
    };
  }, [field]);
  return field;
}
