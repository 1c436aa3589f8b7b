import Link from 'next/link';
import type { ReactNode } from 'react';

/** A link within text. */
export function TextLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Link prefetch={false} href={href} className="text-accent underline underline-offset-2 wrap-anywhere">
      {children}
    </Link>
  );
}
