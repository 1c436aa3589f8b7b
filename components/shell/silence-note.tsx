import { Banner } from '@/components/ui/banner';
import { Moment } from '@/components/ui/moment';

/** Tells that Inngest wakes nobody any more, and that nothing is lost by it: the workers look for themselves. */
export function SilenceNote({ since, now }: { since: Date | null; now: Date }) {
  if (since === null) return null;
  return (
    <Banner tone="slow" className="mb-6">
      Inngest fell silent <Moment at={since.toISOString()} now={now.toISOString()} />. The workers wake
      themselves meanwhile: checks and deliveries go on. See that the Inngest server runs and reaches the
      workers.
    </Banner>
  );
}
