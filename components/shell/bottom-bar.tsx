'use client';

import { Activity, Bell, CircleAlert, Ellipsis, type LucideIcon, PanelsTopLeft } from 'lucide-react';
import Link from 'next/link';
import { usePathname } from 'next/navigation';
import type { ReactNode } from 'react';
import { FailedCount } from './failed-count';
import { isWithin, PLACES } from './places';

/** The places that a phone shows, where a thumb reaches them. The others are behind “More”. */
const ICONS: Partial<Record<(typeof PLACES)[number]['href'], LucideIcon>> = {
  '/monitors': Activity,
  '/incidents': CircleAlert,
  '/status-pages': PanelsTopLeft,
  '/notifications': Bell,
};

const MORE = PLACES.filter(({ href }) => ICONS[href] === undefined);

const ITEM =
  'relative flex h-14 min-w-0 flex-auto flex-col items-center justify-center gap-0.5 px-1 text-[0.6875rem] -outline-offset-2 text-muted aria-[current]:font-medium aria-[current]:text-accent';

/** The main navigation of a narrow window. globals.css reserves its height as `--bottom`, and hides it while a phone shows its keyboard. */
export function BottomBar({ failedDeliveries }: { failedDeliveries: number }) {
  const pathname = usePathname();
  const isInMore = MORE.some(({ href }) => isWithin(pathname, href));
  return (
    <nav
      id="places"
      aria-label="Main"
      className="fixed inset-x-0 bottom-0 z-30 flex border-t border-line bg-surface pr-[env(safe-area-inset-right)] pb-[env(safe-area-inset-bottom)] pl-[env(safe-area-inset-left)] md:hidden print:hidden"
    >
      {PLACES.map(({ href, label }) => {
        const Icon = ICONS[href];
        if (Icon === undefined) return null;
        return (
          <Link
            key={href}
            prefetch={false}
            href={href}
            aria-current={isWithin(pathname, href) ? 'page' : undefined}
            className={ITEM}
          >
            <Icon className="size-5" aria-hidden="true" />
            <Label>{label}</Label>
            {href === '/notifications' ? (
              <FailedCount count={failedDeliveries} className="absolute top-0.5 left-1/2" />
            ) : null}
          </Link>
        );
      })}
      <button
        type="button"
        popoverTarget="more-places"
        aria-current={isInMore ? 'true' : undefined}
        className={ITEM}
      >
        <Ellipsis className="size-5" aria-hidden="true" />
        <Label>More</Label>
      </button>
      <ul
        id="more-places"
        popover="auto"
        className="fixed inset-auto right-2 bottom-[calc(var(--bottom)+0.5rem)] w-56 rounded-lg border border-line bg-surface p-1 text-ink shadow-lg"
      >
        {MORE.map(({ href, label }) => (
          <li key={href}>
            <Link
              prefetch={false}
              href={href}
              aria-current={isWithin(pathname, href) ? 'page' : undefined}
              onClick={({ currentTarget }) => currentTarget.closest<HTMLElement>('[popover]')?.hidePopover()}
              className="flex min-h-11 items-center rounded px-3 hover:bg-sunken aria-[current]:font-medium aria-[current]:text-accent"
            >
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Label({ children }: { children: ReactNode }) {
  return <span className="max-w-full truncate">{children}</span>;
}
