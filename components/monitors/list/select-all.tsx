type Props = { selected: number; of: number; onChange: (isSelected: boolean) => void };

/** Ticks everything that the list shows, or nothing. */
export function SelectAll({ selected, of, onChange }: Props) {
  const isAll = of > 0 && selected === of;
  return (
    <label className="flex h-8 w-10 items-center justify-center">
      <input
        type="checkbox"
        aria-label="Select all monitors shown"
        className="size-4 accent-accent"
        checked={isAll}
        ref={(input) => {
          if (input) input.indeterminate = selected > 0 && !isAll;
        }}
        onChange={() => onChange(!isAll)}
      />
    </label>
  );
}
