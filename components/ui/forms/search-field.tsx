import { Search } from 'lucide-react';
import type { ComponentProps } from 'react';
import { cn } from '../cn';

type Props = ComponentProps<'input'> & { label: string; frameClassName?: string };

/** A search box whose label only screen readers read. Enter does not submit the form around it. */
export function SearchField({ label, frameClassName, className = 'rounded', ...rest }: Props) {
  return (
    <label className={cn('relative min-w-0 flex-1', frameClassName)}>
      <span className="sr-only">{label}</span>
      <Search className="pointer-events-none absolute top-2 left-2 size-4 text-muted" />
      <input
        type="search"
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
