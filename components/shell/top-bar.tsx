'use client';

import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { type ReactNode, useEffect, useRef } from 'react';
import { Mark } from './mark';
import { PLACES } from './places';

type Props = {
  serviceName: string;
  /** The organization menu. */
  organization: ReactNode;
  /** The number of recently failed deliveries. */
  failedDeliveries: number;
  children: ReactNode;
};

const MAX_COUNT = 99;

/** The bar at the top of the dashboard; `children` are shown at its right end. Rendered in the browser, too, for the reason of `UptimeCells`. */
export function TopBar({ serviceName, organization, failedDeliveries, children }: Props) {
  return (
    <header className="border-b border-line bg-surface print:hidden">
      <div className="mx-auto flex max-w-7xl flex-wrap items-center gap-x-3 px-4 sm:px-6 lg:h-12 lg:flex-nowrap">
        <Link prefetch={false} href="/monitors" className="flex shrink-0 items-center gap-2 font-semibold">
          <Mark className="size-6" />
          <span className="sr-only sm:not-sr-only">{serviceName}</span>
        </Link>
        <span className="text-line-strong" aria-hidden="true">
          /
        </span>
        {organization}
        <nav
          aria-label="Main"
          className="scroll-hint -mx-1 flex h-10 items-stretch gap-4 overflow-x-auto pr-6 pl-1 max-lg:order-last max-lg:w-full lg:ml-4 lg:h-full lg:pr-1"
        >
          {PLACES.map(({ href, label }) => (
            <NavLink
              key={href}
              href={href}
              label={label}
              count={href === '/notifications' ? formatFailed(failedDeliveries) : null}
            />
          ))}
        </nav>
        <div className="ml-auto flex h-12 items-center">{children}</div>
      </div>
    </header>
  );
}

function formatFailed(count: number) {
  if (count === 0) return null;
  const shown = count > MAX_COUNT ? `${MAX_COUNT}+` : String(count);
  return { shown, meaning: count === 1 ? 'failed delivery' : 'failed deliveries' };
}

type NavLinkProps = { href: string; label: string; count?: { shown: string; meaning: string } | null };

/** A link of the main navigation, highlighted in its section; `count` is the number of items that need attention. */
function NavLink({ href, label, count = null }: NavLinkProps) {
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
