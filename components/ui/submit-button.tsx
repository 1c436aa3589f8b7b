'use client';

import { LoaderCircle } from 'lucide-react';
import type { ComponentProps } from 'react';
import { Button } from './button';

/** The button that sends a form; while `isPending` it says so and cannot be pressed twice. */
export function SubmitButton({
  isPending,
  children,
  ...rest
}: ComponentProps<typeof Button> & { isPending: boolean }) {
  return (
    <Button {...rest} type="submit" disabled={isPending} aria-busy={isPending}>
      {isPending ? <LoaderCircle className="animate-spin" aria-hidden="true" /> : null}
      {children}
    </Button>
  );
}
