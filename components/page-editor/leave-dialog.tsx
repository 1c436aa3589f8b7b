import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { useLeaveGuard } from './use-leave-guard';

/** Asks who would leave with changes that are not saved. */
export function LeaveDialog({ isDirty }: { isDirty: boolean }) {
  const [departure, setDeparture] = useLeaveGuard(isDirty);
  return (
    <ConfirmDialog
      open={departure !== null}
      onOpenChange={() => setDeparture(null)}
      title="Leave without saving?"
      description="What you changed on this page is lost then."
      confirm="Leave"
      action={() => {
        setDeparture(null);
        departure?.leave();
      }}
      isPending={false}
      problem={null}
    />
  );
}
