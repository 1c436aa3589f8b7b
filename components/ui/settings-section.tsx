import type { ReactNode } from 'react';
import { cn } from './cn';

type Props = {
  /** Links lead to it. */
  id?: string;
  title: string;
  lead?: ReactNode;
  /** Controls at the right end of the heading of a list. */
  aside?: ReactNode;
  /** For lists, which take the whole width. */
  isWide?: boolean;
  children: ReactNode;
};

/** A section of a settings page: title and description on the left, controls on the right, or a list below them. */
export function SettingsSection({ id, title, lead, aside, isWide = false, children }: Props) {
  const headingId = id ?? title.toLowerCase().replaceAll(/[^a-z\d]+/g, '-');
  return (
    <section
      aria-labelledby={headingId}
      className={cn(
        'grid gap-x-8 gap-y-4 border-b border-line pb-8 last:border-0',
        !isWide && 'lg:grid-cols-[16rem_1fr]',
      )}
    >
      <div className="flex flex-wrap items-start gap-2">
        <div className="mr-auto flex max-w-2xl flex-col gap-1">
          <h2 id={headingId} className="text-base font-semibold">
            {title}
          </h2>
          {lead ? <p className="text-muted">{lead}</p> : null}
        </div>
        {aside}
      </div>
      <div className="flex min-w-0 flex-col items-stretch gap-3">{children}</div>
    </section>
  );
}
