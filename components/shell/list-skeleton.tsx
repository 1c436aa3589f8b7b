const ROWS = ['w-40', 'w-56', 'w-32', 'w-48', 'w-44', 'w-36'];

/** Without scripts, nothing moves the list from the end of the document to here: it is shown there, in the width of the page. */
const WITHOUT_SCRIPTS = `@layer base {
  #loading { display: none !important }
  [hidden][id^="S:"] { display: block !important; max-width: 80rem; margin-inline: auto; padding: 0 1rem 1.5rem }
}`;

/** The placeholder of a list while it loads. */
export function ListSkeleton() {
  return (
    <div id="loading" className="flex flex-col gap-4" role="status">
      <noscript>
        <style>{WITHOUT_SCRIPTS}</style>
      </noscript>
      <span className="sr-only">Loading</span>
      <div className="h-8 w-48 animate-pulse rounded bg-sunken" />
      <div className="rounded-lg border border-line bg-surface">
        {ROWS.map((width) => (
          <div key={width} className="flex h-14 items-center gap-6 border-b border-line px-3 last:border-0">
            <div className="h-4 w-24 animate-pulse rounded bg-sunken" />
            <div className={`h-4 animate-pulse rounded bg-sunken ${width}`} />
            <div className="ml-auto h-4 w-32 animate-pulse rounded bg-sunken max-sm:hidden" />
          </div>
        ))}
      </div>
    </div>
  );
}
