import type { ReactNode } from 'react';
import { CodeBlock } from '@/components/ui/code-block';
import { curlCreateMonitor } from './curl';

const BLOCKS = ['h-44', 'h-20', 'h-80', 'h-40'];

type Props = {
  baseUrl: string;
  mayWrite: boolean;
  /** The first monitor, as it is suggested to who may make it. */
  children: ReactNode;
};

/** The list before the first monitor: one to begin with, by a press or by the API. */
export function EmptyList({ baseUrl, mayWrite, children }: Props) {
  return (
    <section className="rounded-lg border border-line bg-surface px-5 py-8 sm:px-8">
      <div className="flex max-w-2xl flex-col gap-5">
        <div className="flex flex-col gap-1">
          <h2 className="text-base font-semibold">Nothing is watched yet</h2>
          <p className="text-muted">
            {mayWrite
              ? 'Begin with this service itself: it answers at once, and you see how a monitor looks.'
              : 'Someone who may write in this organization can add the first monitor.'}
          </p>
        </div>
        {mayWrite ? (
          <>
            {children}
            <div className="flex flex-col gap-2">
              <p className="text-muted">Or by the API, with the key from set-up:</p>
              <CodeBlock text={curlCreateMonitor(baseUrl, '<API_KEY>')} label="Copy the command" />
            </div>
          </>
        ) : null}
      </div>
    </section>
  );
}

/** A monitor's page while it is on its way, in its own proportions. */
export function MonitorSkeleton() {
  return (
    <div className="flex flex-col gap-6" role="status">
      <span className="sr-only">Loading</span>
      <div className="flex flex-col gap-2">
        <div className="h-5 w-20 animate-pulse rounded bg-sunken" />
        <div className="h-7 w-56 animate-pulse rounded bg-sunken" />
        <div className="h-5 w-72 max-w-full animate-pulse rounded bg-sunken" />
      </div>
      {BLOCKS.map((height) => (
        <div key={height} className={`animate-pulse rounded-lg border border-line bg-sunken ${height}`} />
      ))}
    </div>
  );
}
