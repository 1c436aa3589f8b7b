import type { ReactNode } from 'react';
import { CodeBlock } from '@/components/ui/code-block';
import { EmptyState } from '@/components/ui/section';
import { curlCreateMonitor } from './curl-commands';

type Props = {
  baseUrl: string;
  mayWrite: boolean;
  /** The form that creates the first monitors. */
  children: ReactNode;
};

/** Shown before the first monitor: create some here or with the API. */
export function EmptyList({ baseUrl, mayWrite, children }: Props) {
  return (
    <EmptyState
      title="No monitors yet"
      text={
        mayWrite
          ? 'Enter the URL of something that people use. The first check runs at once.'
          : 'Ask a member or admin of this organization to add the first monitor.'
      }
    >
      {mayWrite ? (
        <div className="flex w-full max-w-2xl flex-col gap-5">
          {children}
          <div className="flex flex-col gap-2">
            <p className="text-muted">Or use the API with the key from setup:</p>
            <CodeBlock text={curlCreateMonitor(baseUrl)} label="Copy command" />
          </div>
        </div>
      ) : null}
    </EmptyState>
  );
}
