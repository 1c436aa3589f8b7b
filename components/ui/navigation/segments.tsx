'use client';

import Link from 'next/link';
import { cn } from '../cn';

/** One of a few choices, each with its own URL. */
type Segment = { label: string; href: string; isChosen: boolean };

type Props = { label: string; segments: Segment[]; className?: string };

/** A choice kept in the page's URL: a row of links that does not scroll the page. Rendered in the browser, too: few values instead of many elements. */
export function Segments({ label, segments, className }: Props) {
  return (
    <nav
      aria-label={label}
      className={cn('flex max-w-full flex-wrap gap-1 rounded-lg border border-line bg-sunken p-1', className)}
    >
      {segments.map(({ label: text, href, isChosen }) => (
        <Link
          key={href}
          prefetch={false}
          scroll={false}
          href={href}
          aria-current={isChosen ? 'true' : undefined}
          className="touch flex h-7 shrink-0 items-center rounded-md border border-transparent px-2.5 text-sm whitespace-nowrap text-muted hover:text-ink aria-[current=true]:border-line-strong aria-[current=true]:bg-surface aria-[current=true]:font-medium aria-[current=true]:text-ink"
        >
          {text}
        </Link>
      ))}
    </nav>
  );
}
