'use client';

import Link from 'next/link';
import { usePathname } from 'next/navigation';

/** A link of the main navigation, marked while the visitor is in its section. */
export function NavLink({ href, label }: { href: string; label: string }) {
  const pathname = usePathname();
  const isHere = pathname === href || pathname.startsWith(`${href}/`);
  return (
    <Link
      prefetch={false}
      href={href}
      aria-current={isHere ? 'page' : undefined}
      className="relative flex h-full items-center px-1 text-sm text-muted hover:text-ink aria-[current=page]:font-medium aria-[current=page]:text-ink aria-[current=page]:after:absolute aria-[current=page]:after:inset-x-0 aria-[current=page]:after:bottom-0 aria-[current=page]:after:h-0.5 aria-[current=page]:after:bg-accent"
    >
      {label}
    </Link>
  );
}
