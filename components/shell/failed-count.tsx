import { cn } from '@/components/ui/cn';

const MAX_COUNT = 99;

/** The number of recently failed deliveries; nothing without any. */
export function FailedCount({ count, className }: { count: number; className?: string }) {
  if (count === 0) return null;
  return (
    <span
      className={cn(
        'rounded-full bg-bad-wash px-1.5 text-xs leading-5 font-medium text-bad tabular-nums',
        className,
      )}
    >
      {count > MAX_COUNT ? `${MAX_COUNT}+` : count}
      <span className="sr-only"> {count === 1 ? 'failed delivery' : 'failed deliveries'}</span>
    </span>
  );
}
