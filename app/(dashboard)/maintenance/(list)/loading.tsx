const ROWS = ['w-56', 'w-40', 'w-48'];

export default function Loading() {
  return (
    <div className="flex flex-col gap-5" role="status">
      <span className="sr-only">Loading</span>
      <div className="h-8 w-40 animate-pulse rounded bg-sunken" />
      <div className="rounded-lg border border-line bg-surface">
        {ROWS.map((width) => (
          <div key={width} className="flex h-16 items-center gap-6 border-b border-line px-4 last:border-0">
            <div className={`h-4 animate-pulse rounded bg-sunken ${width}`} />
            <div className="ml-auto h-4 w-24 animate-pulse rounded bg-sunken" />
          </div>
        ))}
      </div>
    </div>
  );
}
