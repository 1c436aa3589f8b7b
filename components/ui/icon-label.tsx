import type { LucideIcon } from 'lucide-react';
import { cn } from './cn';

export type IconLabelStyle = { label: string; Icon: LucideIcon; color: string };

export type LabelLook = { weight?: 'font-medium' | 'font-normal'; className?: string };

/** A status as icon and label; color only repeats them. */
export function IconLabel({
  label,
  Icon,
  color,
  weight = 'font-medium',
  className,
}: IconLabelStyle & LabelLook) {
  return (
    <span
      className={cn(
        'inline-flex items-center gap-1.5 align-middle whitespace-nowrap',
        color,
        weight,
        className,
      )}
    >
      <Icon className="size-4 shrink-0" />
      {label}
    </span>
  );
}
