'use client';

import Link from 'next/link';
import { usePathname } from 'next/navigation';

type Props = { label: string; tabs: readonly { href: string; label: string }[] };

/** Links between the pages of a section, in a row that scrolls sideways if it does not fit. */
export function Tabs({ label, tabs }: Props) {
  const pathname = usePathname();
  const [current] = tabs
    .map(({ href }) => href)
    .filter((href) => pathname === href || pathname.startsWith(`${href}/`))
    .sort((a, b) => b.length - a.length);
  return (
    <nav aria-label={label} className="flex gap-4 overflow-x-auto border-b border-line">
      {tabs.map((tab) => (
        <Link
          key={tab.href}
          prefetch={false}
          href={tab.href}
          aria-current={tab.href === current ? 'page' : undefined}
          className="touch flex shrink-0 items-center border-b-2 border-transparent px-1 pb-2 max-sm:pt-2 whitespace-nowrap text-muted -outline-offset-2 hover:text-ink aria-[current=page]:border-accent aria-[current=page]:font-medium aria-[current=page]:text-ink"
        >
          {tab.label}
        </Link>
      ))}
    </nav>
  );
}
