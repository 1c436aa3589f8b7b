'use client';

import { ChevronDown } from 'lucide-react';
import Link from 'next/link';
import { usePathname } from 'next/navigation';
import type { ReactNode } from 'react';
import { cn } from '../cn';

type Tab = { href: string; label: string };
type Props = { label: string; tabs: readonly Tab[] };

/** As many as fit side by side on a phone. */
const MAX_ON_PHONE = 4;

/** Links between the pages of a section. On a phone, many of them are in a list that opens below the current one. */
export function Tabs({ label, tabs }: Props) {
  const pathname = usePathname();
  const [current] = tabs
    .filter(({ href }) => pathname === href || pathname.startsWith(`${href}/`))
    .sort((a, b) => b.href.length - a.href.length);
  const isList = tabs.length > MAX_ON_PHONE;
  const links = (className: string) =>
    tabs.map((tab) => (
      <Link
        key={tab.href}
        prefetch={false}
        href={tab.href}
        aria-current={tab === current ? 'page' : undefined}
        className={cn(
          'flex items-center whitespace-nowrap text-muted -outline-offset-2 hover:text-ink aria-[current=page]:font-medium aria-[current=page]:text-ink',
          className,
        )}
      >
        {tab.label}
      </Link>
    ));
  return (
    <nav aria-label={label}>
      {isList ? (
        // Another page closes it.
        <TabList key={current?.href} current={current?.label ?? label}>
          {links('min-h-11 px-3 aria-[current=page]:bg-sunken')}
        </TabList>
      ) : null}
      <div className={cn('flex gap-4 overflow-x-auto border-b border-line', isList && 'max-sm:hidden')}>
        {links(
          'touch shrink-0 border-b-2 border-transparent px-1 pb-2 max-sm:pt-2 aria-[current=page]:border-accent',
        )}
      </div>
    </nav>
  );
}

function TabList({ current, children }: { current: string; children: ReactNode }) {
  return (
    <details className="group rounded-md border border-line-strong bg-surface sm:hidden">
      <summary className="flex min-h-11 cursor-pointer list-none items-center justify-between gap-2 px-3 font-medium [&::-webkit-details-marker]:hidden">
        {current}
        <ChevronDown className="size-4 shrink-0 text-muted transition-transform group-open:rotate-180" />
      </summary>
      <div className="flex flex-col border-t border-line py-1">{children}</div>
    </details>
  );
}
