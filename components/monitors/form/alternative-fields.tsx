import { type ReactNode, useEffect, useRef, useState } from 'react';
import { cn } from '@/components/ui/cn';
import { SEGMENT, SEGMENTS } from '@/components/ui/forms/field';

type Alternative = { name: string; label: string; field: ReactNode };

type Props = { label: string; alternatives: readonly Alternative[]; initial: string };

/** A switch between fields that are alternatives: those that are not chosen are submitted empty. */
export function AlternativeFields({ label, alternatives, initial }: Props) {
  const [chosen, setChosen] = useState(initial);
  const shown = useRef(chosen);
  const place = useRef<HTMLFieldSetElement>(null);
  // The form reads its fields when this event arrives there: by now they are those of the choice.
  useEffect(() => {
    if (shown.current === chosen) return;
    shown.current = chosen;
    place.current?.dispatchEvent(new Event('input', { bubbles: true }));
  }, [chosen]);
  return (
    <fieldset ref={place} className="flex min-w-0 flex-col gap-3">
      <legend className="mb-1 text-sm font-medium">{label}</legend>
      <div className={cn(SEGMENTS, 'grid-cols-2 sm:max-w-md')}>
        {alternatives.map((each) => (
          <label key={each.name} className={SEGMENT}>
            <input
              type="radio"
              name={`choice of ${alternatives[0]?.name}`}
              value={each.name}
              checked={each.name === chosen}
              onChange={() => setChosen(each.name)}
              className="sr-only"
            />
            {each.label}
          </label>
        ))}
      </div>
      {alternatives.map(({ name, field }) => (
        <div key={name} hidden={name !== chosen}>
          {/* Kept, in case it is chosen again; what is disabled is not submitted. */}
          <fieldset disabled={name !== chosen} className="min-w-0">
            {field}
          </fieldset>
          {name === chosen ? null : <input type="hidden" name={name} value="" />}
        </div>
      ))}
    </fieldset>
  );
}
