import { Banner } from './banner';

/** Announces the error of an action. The region exists before the error does, for screen readers to notice it. */
export function ProblemAlert({ problem }: { problem: string | null }) {
  return (
    <div role="alert" className="empty:sr-only">
      {problem ? <Banner tone="bad">{problem}</Banner> : null}
    </div>
  );
}
