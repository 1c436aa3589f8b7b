import { TextLink } from '@/components/ui/text-link';

/** Says that email is off, with how to turn it on for those who may. */
export function EmailOffNote({ maySetUp }: { maySetUp: boolean }) {
  return (
    <>
      This service cannot send email yet.{' '}
      {maySetUp ? (
        <TextLink href="/settings/mail-server">Set up a mail server</TextLink>
      ) : (
        'The owner of the organization or the operator of this service can set up a mail server.'
      )}
    </>
  );
}
