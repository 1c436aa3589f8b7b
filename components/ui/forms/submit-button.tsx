'use client';

import { LoaderCircle } from 'lucide-react';
import type { ComponentProps } from 'react';
import { Button } from '../button';

type SubmitButtonProps = ComponentProps<typeof Button> & { isPending: boolean };

/** Submits a form; disabled and marked busy while `isPending`. */
export function SubmitButton({ isPending, icon, ...rest }: SubmitButtonProps) {
  const shownIcon = isPending ? <LoaderCircle className="animate-spin" /> : icon;
  return <Button {...rest} type="submit" disabled={isPending} aria-busy={isPending} icon={shownIcon} />;
}
