import type { LucideIcon } from 'lucide-react';

type Choice<T extends string> = { value: T; label: string; Icon: LucideIcon };

type Props<T extends string> = {
  label: string;
  choices: readonly Choice<T>[];
  value: T;
  choose: (value: T) => void;
};

/** One of a few, side by side. */
export function Segments<T extends string>({ label, choices, value, choose }: Props<T>) {
  return (
    <fieldset className="flex rounded-md border border-line bg-surface p-0.5">
      <legend className="sr-only">{label}</legend>
      {choices.map(({ value: own, label: says, Icon }) => (
        <button
          key={own}
          type="button"
          aria-pressed={own === value}
          onClick={() => choose(own)}
          className="flex h-6.5 items-center gap-1 rounded px-2 text-xs text-muted hover:text-ink aria-pressed:bg-sunken aria-pressed:font-medium aria-pressed:text-ink"
        >
          <Icon className="size-3.5" aria-hidden="true" />
          {says}
        </button>
      ))}
    </fieldset>
  );
}
