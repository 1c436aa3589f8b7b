import { LoaderCircle } from 'lucide-react';
import { Banner } from '@/components/ui/banner';
import type { RouteResult } from '@/components/ui/call-route';
import type { DryRun } from '@/lib/schemas/result';
import { TestResult } from './test-result';

/** A test from one region; without an answer it is under way. */
export type TestRun = { region: string; answer: RouteResult<DryRun> | null };

/** What the regions found. */
export function TestRuns({ runs, isStale }: { runs: TestRun[]; isStale: boolean }) {
  if (runs.length === 0) return <Banner tone="bad">Choose at least one region.</Banner>;
  const refusals = new Set(runs.flatMap(({ answer }) => (answer?.ok === false ? [refusalText(answer)] : [])));
  // What is wrong with the form is the same from everywhere.
  const [only] = refusals;
  if (only !== undefined && refusals.size === 1 && runs.every(({ answer }) => answer?.ok === false)) {
    return <Banner tone="bad">{only}</Banner>;
  }
  return (
    <div className="flex flex-col gap-1.5">
      <ul className="divide-y divide-line rounded-lg border border-line bg-surface">
        {runs.map(({ region, answer }) => (
          <li key={region} className="px-3 py-2.5">
            {answer === null ? (
              <p className="flex items-center gap-1.5 text-muted">
                <LoaderCircle className="size-4 animate-spin" aria-hidden="true" />
                Checking from {region} …
              </p>
            ) : answer.ok ? (
              <TestResult result={answer.value} />
            ) : (
              <p className="text-bad">
                <span className="font-mono text-xs">{region}</span> {refusalText(answer)}
              </p>
            )}
          </li>
        ))}
      </ul>
      {isStale ? (
        <p className="text-xs text-muted">The form was changed since this test.</p>
      ) : (
        <p className="text-xs text-muted">Only a test: nothing is kept, and nobody is told.</p>
      )}
    </div>
  );
}

function refusalText({ message, errors }: { message: string; errors: Record<string, string> }): string {
  const fields = Object.entries(errors).map(([name, error]) => `${labelOf(name)} ${error}.`);
  return fields.length > 0 ? fields.join(' ') : message;
}

/** `expectedStatusCode` as people read it. */
function labelOf(name: string): string {
  if (name === 'url') return 'The address';
  const words = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}
