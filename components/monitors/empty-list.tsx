import type { ReactNode } from 'react';
import { CodeBlock } from '@/components/ui/code-block';
import { curlCreateMonitor } from './curl-commands';

type Props = {
  baseUrl: string;
  mayWrite: boolean;
  /** The suggested first monitor. */
  children: ReactNode;
};

/** Shown before the first monitor: create one with a click or with the API. */
export function EmptyList({ baseUrl, mayWrite, children }: Props) {
  return (
    <section className="rounded-lg border border-line bg-surface px-5 py-8 sm:px-8">
      <div className="flex max-w-2xl flex-col gap-5">
        <div className="flex flex-col gap-1">
          <h2 className="text-base font-semibold">No monitors yet</h2>
          <p className="text-muted">
            {mayWrite
              ? 'Start by monitoring Pharos itself. It responds right away, so you see what a monitor looks like.'
              : 'Ask a member or admin of this organization to add the first monitor.'}
          </p>
        </div>
        {mayWrite ? (
          <>
            {children}
            <div className="flex flex-col gap-2">
              <p className="text-muted">Or use the API with the key from setup:</p>
              <CodeBlock text={curlCreateMonitor(baseUrl)} label="Copy command" />
            </div>
          </>
        ) : null}
      </div>
    </section>
  );
}
