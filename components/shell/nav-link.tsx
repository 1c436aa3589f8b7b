'use client';

import Link from 'next/link';
import { usePathname } from 'next/navigation';

type Props = { href: string; label: string; count?: { shown: string; meaning: string } | null };

/** A link of the main navigation, marked while the visitor is in its section; `count` is what there needs a look. */
export function NavLink({ href, label, count = null }: Props) {
  const pathname = usePathname();
  const isHere = pathname === href || pathname.startsWith(`${href}/`);
  return (
    <Link
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
