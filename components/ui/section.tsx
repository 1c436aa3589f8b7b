import Link from 'next/link';
import { type ComponentProps, type ReactNode, useId } from 'react';
import { cn } from './cn';

type Props = {
  title: string;
  /** Controls at the right end of the heading. */
  aside?: ReactNode;
  className?: string;
  children: ReactNode;
};

/** A part of a page under a small heading. */
export function Section({ title, aside, className, children }: Props) {
  const id = useId();
  return (
    <section className={cn('flex flex-col gap-2', className)} aria-labelledby={id}>
      <div className="flex flex-wrap items-center gap-2">
        <h2 id={id} className="mr-auto text-sm font-semibold">
          {title}
        </h2>
        {aside}
      </div>
      {children}
    </section>
  );
}

type EmptyStateProps = { title: string; text: ReactNode; children?: ReactNode };

/** Shown in place of an empty list: why it is empty, and, as `children`, what to do next. */
export function EmptyState({ title, text, children }: EmptyStateProps) {
  return (
    <section className="flex flex-col items-start gap-5 rounded-lg border border-line bg-surface px-5 py-8 sm:px-8">
      <div className="flex max-w-2xl flex-col gap-1">
        <h2 className="text-base font-semibold">{title}</h2>
        <p className="text-muted">{text}</p>
      </div>
      {children}
    </section>
  );
}

/** A link that the whole of its row leads to: the nearest positioned element around it. */
export function RowLink({ className, ...rest }: ComponentProps<typeof Link>) {
  return (
    <Link
      prefetch={false}
      className={cn('font-medium outline-offset-0 after:absolute after:inset-0', className)}
      {...rest}
    />
  );
}
