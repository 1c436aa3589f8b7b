import type { LucideIcon } from 'lucide-react';
import { cn } from './cn';

export type IconLabelStyle = { label: string; Icon: LucideIcon; color: string };

/** A status as icon and label; color only repeats them. */
export function IconLabel({ label, Icon, color, className }: IconLabelStyle & { className?: string }) {
  return (
    <span
      className={cn(
        'inline-flex items-center gap-1.5 align-middle font-medium whitespace-nowrap',
        color,
        className,
      )}
    >
      <Icon className="size-4 shrink-0" />
      {label}
    </span>
  );
}
