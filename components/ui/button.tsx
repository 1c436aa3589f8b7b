import { cva, type VariantProps } from 'class-variance-authority';
import type { ComponentProps, ReactNode } from 'react';
import { cn } from './cn';

/** The look of buttons and of links styled as buttons. */
export const buttonLook = cva(
  'touch inline-flex shrink-0 items-center justify-center gap-1.5 rounded-md border font-medium whitespace-nowrap transition-colors disabled:cursor-not-allowed disabled:opacity-60 [&_svg]:size-4',
  {
    variants: {
      tone: {
        primary: 'border-transparent bg-accent text-accent-ink hover:bg-accent-hover',
        quiet: 'border-line bg-surface text-ink hover:bg-sunken',
        bare: 'border-transparent text-muted hover:bg-sunken hover:text-ink',
        danger: 'border-line bg-surface text-bad hover:bg-bad-wash',
      },
      size: {
        icon: 'h-7 px-1.5 text-sm',
        small: 'h-7 px-2 text-xs',
        normal: 'h-8 px-3 text-sm',
        large: 'h-9 px-4 text-sm',
      },
    },
    defaultVariants: { tone: 'quiet', size: 'normal' },
  },
);

/** What buttons and links styled as buttons have in common; `icon` precedes the text. */
export type Look = VariantProps<typeof buttonLook> & { icon?: ReactNode };

export function Button({ tone, size, icon, className, children, ...rest }: Look & ComponentProps<'button'>) {
  return (
    <button type="button" className={cn(buttonLook({ tone, size }), className)} {...rest}>
      {icon}
      {children}
    </button>
  );
}
