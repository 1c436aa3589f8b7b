import { ButtonLink } from '@/components/ui/navigation/button-link';

/** Shown for an unknown URL. */
export function PageNotFound() {
  return (
    <div className="mx-auto flex max-w-md flex-col items-start gap-4 px-4 py-24">
      <h1 className="text-xl font-semibold">Page not found</h1>
      <p className="text-muted">It may have been deleted, or the link is wrong.</p>
      <ButtonLink size="large" href="/monitors">
        Go to monitors
      </ButtonLink>
    </div>
  );
}
