import { listUnits, splitDuration } from './duration';
import { describedBy, type FieldFrame, Frame, INPUT } from './field';

type Props = FieldFrame & { defaultValue: string; accepts?: (typed: string) => boolean };

/** A number and its unit, submitted under one name: `90,minutes`. */
export function DurationField({ defaultValue, ...frame }: Props) {
  const { name, label, hint, error } = frame;
  const { amount, unit } = splitDuration(defaultValue);
  return (
    <Frame {...frame}>
      <div className="flex">
        <input
          {...describedBy({ name, hint, error })}
          defaultValue={amount}
          inputMode="decimal"
          className={`${INPUT} h-9 min-w-0 flex-1 rounded-r-none`}
        />
        <select
          name={name}
          aria-label={`Unit of ${label.toLowerCase()}`}
          defaultValue={unit}
          className={`${INPUT} h-9 w-auto! shrink-0 rounded-l-none border-l-0`}
        >
          {listUnits(unit).map((each) => (
            <option key={each} value={each}>
              {each}
            </option>
          ))}
        </select>
      </div>
    </Frame>
  );
}
