import { cn } from '@/components/ui/cn';
import type { Verb } from './openapi';

const COLOURS: Record<Verb, string> = {
  get: 'text-good',
  post: 'text-accent',
  put: 'text-slow',
  patch: 'text-slow',
  delete: 'text-bad',
};

/** The method of an operation, in the colour of what it does. */
export function MethodLabel({ method, className }: { method: Verb; className?: string }) {
  return (
    <span className={cn('font-mono text-[0.6875rem] font-semibold uppercase', COLOURS[method], className)}>
      {method === 'delete' && className ? 'del' : method}
    </span>
  );
}
