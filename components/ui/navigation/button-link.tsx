import Link from 'next/link';
import type { ComponentProps } from 'react';
import { buttonLook, type Look } from '../button';
import { cn } from '../cn';

/** A link styled as a button. Apart from buttons, whose scripts would otherwise contain those of links. */
export function ButtonLink({
  tone,
  size,
  icon,
  className,
  children,
  ...rest
}: Look & ComponentProps<typeof Link>) {
  return (
    <Link prefetch={false} className={cn(buttonLook({ tone, size }), className)} {...rest}>
      {icon}
      {children}
    </Link>
  );
}
