'use client';

import Link from 'next/link';
import { usePathname } from 'next/navigation';
import type { ReactNode } from 'react';
import { FailedCount } from './failed-count';
import { Mark } from './mark';
import { isWithin, PLACES } from './places';

type Props = {
  serviceName: string;
  /** The organization menu. */
  organization: ReactNode;
  /** The number of recently failed deliveries. */
  failedDeliveries: number;
  children: ReactNode;
};

/** The bar at the top of the dashboard, with the main navigation if the window has room for it; `children` are at its right end. Rendered in the browser, too, for the reason of `UptimeCells`. */
export function TopBar({ serviceName, organization, failedDeliveries, children }: Props) {
  return (
    <header className="pt-[env(safe-area-inset-top)] border-b border-line bg-surface print:hidden">
      <div className="mx-auto flex max-w-7xl flex-wrap items-center gap-x-3 px-4 sm:px-6 lg:h-12 lg:flex-nowrap">
        <Link
          prefetch={false}
          href="/monitors"
          className="touch flex shrink-0 items-center gap-2 font-semibold"
        >
          <Mark className="size-6" />
          <span className="sr-only sm:not-sr-only">{serviceName}</span>
        </Link>
        <span className="text-line-strong" aria-hidden="true">
          /
        </span>
        {organization}
        <nav
          aria-label="Main"
          className="-mx-1 flex h-10 items-stretch gap-4 px-1 max-lg:order-last max-lg:w-full max-md:hidden lg:ml-4 lg:h-full"
        >
          {PLACES.map(({ href, label }) => (
            <NavLink key={href} href={href} label={label}>
              {href === '/notifications' ? <FailedCount count={failedDeliveries} /> : null}
            </NavLink>
          ))}
        </nav>
        <div className="ml-auto flex h-12 items-center">{children}</div>
      </div>
    </header>
  );
}

type NavLinkProps = { href: string; label: string; children: ReactNode };

/** A link of the main navigation, highlighted in its section; `children` follow its text. */
function NavLink({ href, label, children }: NavLinkProps) {
  const pathname = usePathname();
  return (
    <Link
      prefetch={false}
      href={href}
      aria-current={isWithin(pathname, href) ? 'page' : undefined}
      className="relative flex h-full shrink-0 items-center gap-1.5 px-1 text-sm text-muted hover:text-ink aria-[current=page]:font-medium aria-[current=page]:text-ink aria-[current=page]:after:absolute aria-[current=page]:after:inset-x-0 aria-[current=page]:after:bottom-0 aria-[current=page]:after:h-0.5 aria-[current=page]:after:bg-accent"
    >
      {label}
      {children}
    </Link>
  );
}
