'use client';

import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { useEffect, useRef } from 'react';

type Props = { href: string; label: string; count?: { shown: string; meaning: string } | null };

/** A link of the main navigation, highlighted in its section; `count` is the number of items that need attention. */
export function NavLink({ href, label, count = null }: Props) {
  const pathname = usePathname();
  const isHere = pathname === href || pathname.startsWith(`${href}/`);
  const link = useRef<HTMLAnchorElement>(null);
  // On a narrow screen the navigation is wider than the window: scroll the current link into view.
  useEffect(() => {
    const nav = link.current?.parentElement;
    if (!isHere || !link.current || !nav) return;
    const [own, all] = [link.current.getBoundingClientRect(), nav.getBoundingClientRect()];
    nav.scrollBy({ left: own.left - all.left - (all.width - own.width) / 2 });
  }, [isHere]);
  return (
    <Link
      ref={link}
      prefetch={false}
      href={href}
      aria-current={isHere ? 'page' : undefined}
      className="relative flex h-full shrink-0 items-center gap-1.5 px-1 text-sm text-muted hover:text-ink aria-[current=page]:font-medium aria-[current=page]:text-ink aria-[current=page]:after:absolute aria-[current=page]:after:inset-x-0 aria-[current=page]:after:bottom-0 aria-[current=page]:after:h-0.5 aria-[current=page]:after:bg-accent"
    >
      {label}
      {count ? (
        <span className="rounded-full bg-bad-wash px-1.5 text-xs leading-5 font-medium text-bad tabular-nums">
          {count.shown}
          <span className="sr-only"> {count.meaning}</span>
        </span>
      ) : null}
    </Link>
  );
}
