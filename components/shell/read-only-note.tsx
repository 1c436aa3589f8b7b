import { Banner } from '@/components/ui/banner';

/** Replaces a form for viewers. */
export function ReadOnlyNote() {
  return (
    <Banner tone="note">Your role is viewer, which is read-only. Ask an admin to change your role.</Banner>
  );
}
