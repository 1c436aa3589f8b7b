import { readHex } from '@/components/status-page/theme/colour';
import { describedBy, FieldNotes } from '@/components/ui/field';

type Props = {
  name: string;
  label: string;
  value: string;
  /** Shown by the picker while the text is no colour. */
  fallback: string;
  error?: string;
  onChange: (value: string) => void;
};

/** A colour, as its hex digits and by the system's picker. */
export function ColourField({ name, label, value, fallback, error, onChange }: Props) {
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={name} className="text-sm font-medium">
        {label}
      </label>
      <div className="flex items-stretch rounded-md border border-line-strong bg-surface has-aria-invalid:border-bad">
        <input
          type="color"
          aria-label={`Pick: ${label}`}
          value={readHex(value) ?? fallback}
          onChange={(event) => onChange(event.target.value)}
          className="m-1 h-7 w-8 shrink-0 cursor-pointer rounded border-0 bg-transparent p-0"
        />
        <input
          {...describedBy({ name, error })}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          spellCheck={false}
          autoComplete="off"
          autoCapitalize="none"
          className="h-9 w-full min-w-0 rounded-r-md bg-transparent pr-2 font-mono text-base sm:text-sm"
        />
      </div>
      <FieldNotes name={name} label={label} error={error} />
    </div>
  );
}
