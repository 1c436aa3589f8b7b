import { CircleAlert, Info, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { cn } from './cn';

const TONES = {
  bad: 'border-bad/30 bg-bad-wash text-bad',
  slow: 'border-slow/30 bg-slow-wash text-slow',
  note: 'border-line bg-sunken text-ink',
} as const;

type Props = {
  tone: keyof typeof TONES;
  /** Replaces the icon of the tone. */
  Icon?: LucideIcon;
  className?: string;
  children: ReactNode;
};

/** A message about the whole page or form. */
export function Banner({ tone, Icon = tone === 'note' ? Info : CircleAlert, className, children }: Props) {
  return (
    <div className={cn('flex items-start gap-2 rounded-md border px-3 py-2 text-sm', TONES[tone], className)}>
      <Icon className="mt-0.5 size-4 shrink-0" />
      <div className="min-w-0 flex-1">{children}</div>
    </div>
  );
}
