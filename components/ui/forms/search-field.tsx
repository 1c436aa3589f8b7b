import { Search } from 'lucide-react';
import type { ComponentProps, RefObject } from 'react';
import { cn } from '../cn';
import { useEarlyInput } from './use-early-input';

type Props = Omit<ComponentProps<'input'>, 'ref' | 'value' | 'onChange'> & {
  label: string;
  value: string;
  onType: (text: string) => void;
  ref?: RefObject<HTMLInputElement | null>;
  frameClassName?: string;
};

/** A search box whose label only screen readers read. Enter does not submit the form around it. */
export function SearchField({
  label,
  value,
  onType,
  ref,
  frameClassName = 'flex-1',
  className = 'rounded',
  ...rest
}: Props) {
  const field = useEarlyInput(value, onType, ref);
  return (
    <label className={cn('relative min-w-0', frameClassName)}>
      <span className="sr-only">{label}</span>
      <Search className="pointer-events-none absolute inset-y-0 left-2 my-auto size-4 text-muted" />
      <input
        ref={field}
        type="search"
        value={value}
        // Firefox would restore the previous search after a reload.
        autoComplete="off"
        onChange={(event) => onType(event.target.value)}
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
        className={cn(
          'h-8 w-full bg-surface pr-2 pl-8 text-base placeholder:text-muted sm:text-sm',
          className,
        )}
        {...rest}
      />
    </label>
  );
}
