import Link from 'next/link';
import type { ComponentProps, ReactNode } from 'react';
import { cn } from './cn';

type Props = {
  title: string;
  /** For the main section of a page. */
  isLarge?: boolean;
  /** Controls at the right end of the heading. */
  aside?: ReactNode;
  gap?: 'gap-1' | 'gap-2' | 'gap-3';
  className?: string;
  children: ReactNode;
};

/** A part of a page under its heading. */
export function Section({ title, isLarge = false, aside, gap = 'gap-3', className, children }: Props) {
  return (
    <section className={cn('flex flex-col', gap, className)} aria-label={title}>
      <div className="flex flex-wrap items-center gap-2">
        <h2 className={`mr-auto ${isLarge ? 'text-base' : 'text-sm'} font-semibold`}>{title}</h2>
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

/** One sentence in place of a list or table without items. */
export function EmptyNote({ children }: { children: ReactNode }) {
  return <p className="rounded-lg border border-line bg-surface px-4 py-6 text-muted">{children}</p>;
}

/** A link that covers its whole row: the nearest positioned element around it. */
export function RowLink({ className, ...rest }: ComponentProps<typeof Link>) {
  return (
    <Link
      prefetch={false}
      className={cn('font-medium outline-offset-0 after:absolute after:inset-0', className)}
      {...rest}
    />
  );
}
