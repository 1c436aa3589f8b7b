import { ButtonLink } from '@/components/ui/navigation/button-link';

/** In place of a form that requires a recent second factor; `path` is its page, and `what` needs the factor. */
export function ConfirmNote({ path, what = 'Creating a key' }: { path: string; what?: string }) {
  return (
    <div className="flex flex-wrap items-center gap-3 rounded-lg border border-line bg-surface p-4">
      <p className="min-w-0 flex-1 basis-60 text-muted">{what} requires your second factor.</p>
      <ButtonLink href={`/sign-in/confirm?${new URLSearchParams({ callbackUrl: path })}`}>Confirm</ButtonLink>
    </div>
  );
}
