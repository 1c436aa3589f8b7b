import Link from 'next/link';
import type { ReactNode } from 'react';
import { cn } from './cn';

type Props = {
  href: string;
  target?: '_blank';
  /** Whether it is no part of a sentence: then it is as high on a phone as a finger needs. */
  isAlone?: boolean;
  children: ReactNode;
};

/** A link of text. */
export function TextLink({ href, target, isAlone = false, children }: Props) {
  return (
    <Link
      prefetch={false}
      href={href}
      target={target}
      className={cn(
        'text-accent underline underline-offset-2 wrap-anywhere',
        isAlone && 'touch inline-block',
      )}
    >
      {children}
    </Link>
  );
}
