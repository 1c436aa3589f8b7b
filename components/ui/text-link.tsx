import Link from 'next/link';
import type { ReactNode } from 'react';

/** A link within text. */
export function TextLink({
  href,
  target,
  children,
}: {
  href: string;
  target?: '_blank';
  children: ReactNode;
}) {
  return (
    <Link
      prefetch={false}
      href={href}
      target={target}
      className="text-accent underline underline-offset-2 wrap-anywhere"
    >
      {children}
    </Link>
  );
}
