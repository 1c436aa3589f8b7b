import { ConfirmButton } from '@/components/ui/confirm-button';

type Props = { email: string; hasFactor: boolean; reset?: () => Promise<string | null> };

/** Whether a member has a second factor, and, for owners, a button for those who lost it. */
export function FactorCell({ email, hasFactor, reset }: Props) {
  const label = <span className="md:sr-only">Second factor: </span>;
  if (!hasFactor) {
    return (
      <span className="text-muted max-md:text-xs">
        {label}
        none
      </span>
    );
  }
  return (
    <span className="flex items-center gap-2">
      <span className="max-md:text-xs">{label}on</span>
      {reset ? (
        <ConfirmButton
          tone="quiet"
          label={`Reset the second factor of ${email}`}
          title={`Reset the second factor of ${email}?`}
          description="For members who lost their phone and recovery codes. Make sure that they asked for it. Their authenticator app, passkeys and recovery codes stop working, and their sessions end. They are notified by email."
          confirm="Reset second factor"
          action={reset}
        >
          Reset
        </ConfirmButton>
      ) : null}
    </span>
  );
}
