import { TextField } from '@/components/ui/field';

type Props = {
  value: string;
  /** What it is now; null: the page is new. */
  saved: string | null;
  /** The address of the service, without a slash at the end. */
  baseUrl: string;
  error?: string;
  onChange: (slug: string) => void;
};

/** The end of the page's address, with what a change of it breaks. */
export function SlugField({ value, saved, baseUrl, error, onChange }: Props) {
  const isMoved = saved !== null && value !== saved;
  return (
    <TextField
      name="slug"
      label="Slug"
      required
      autoCapitalize="none"
      autoCorrect="off"
      autoComplete="off"
      spellCheck={false}
      className="[&_input]:font-mono"
      value={value}
      onChange={(event) => onChange(event.target.value)}
      error={error}
      hint={
        isMoved ? (
          <span className="text-slow">
            Links to /status/{saved} stop working, its feeds, badges and embeds too.
          </span>
        ) : (
          <span className="break-all">
            {baseUrl}/status/{value || '…'}
          </span>
        )
      }
    />
  );
}
