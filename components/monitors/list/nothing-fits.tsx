import { Button } from '@/components/ui/button';

/** The list where no monitor fits what was asked for. */
export function NothingFits({ onClear }: { onClear: () => void }) {
  return (
    <section className="flex flex-col items-start gap-3 rounded-lg border border-line bg-surface px-5 py-8 sm:px-8">
      <div className="flex flex-col gap-1">
        <h2 className="text-base font-semibold">Nothing matches</h2>
        <p className="text-muted">No monitor fits this search and these filters.</p>
      </div>
      <Button onClick={onClear}>Clear filters</Button>
    </section>
  );
}
