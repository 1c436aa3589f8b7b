const BLOCKS = ['h-44', 'h-20', 'h-80', 'h-40'];

/** A loading monitor page, in its own proportions. */
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
