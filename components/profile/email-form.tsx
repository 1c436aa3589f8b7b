'use client';

import { useState } from 'react';
import { RuleEditor } from '@/components/notifications/rules/rule-editor';
import type { RuleChoices } from '@/components/notifications/rules/rule-texts';
import { CheckField, SelectField } from '@/components/ui/forms/field';
import { Form } from '@/components/ui/forms/form';
import { freshState } from '@/components/ui/forms/form-state';
import { SubmitButton } from '@/components/ui/forms/submit-button';
import { useSubmission } from '@/components/ui/forms/use-submission';
import { useTimeZone } from '@/components/ui/time/page-clock';
import type { MailPreferences } from '@/lib/schemas/people';
import { MEMBER_KINDS } from '@/lib/schemas/webhooks/rules';
import { Saved, type SavedState } from './section';

type Props = MailPreferences & {
  ruleChoices: RuleChoices;
  timeZones: readonly string[];
  save: (state: SavedState, form: FormData) => Promise<SavedState>;
  isMailOn: boolean;
  /** Whether the person is notified in a browser: rules are about that, too. */
  hasBrowser: boolean;
};

const ALERTS =
  'When a monitor goes down or recovers, with the reminders of the organization, and when a channel is disabled.';
const DIGEST =
  'On Mondays at 08:00: the uptime and incidents of the week, the slowest monitors, and certificates that expire soon.';

/** What the person receives by email from the organization. */
export function EmailForm(props: Props) {
  const { alertMail, alertRules, digestTimeZone, timeZones, ruleChoices, isMailOn, hasBrowser, save } = props;
  const [state, action, isPending] = useSubmission<SavedState>(save, freshState());
  const [hasAlerts, setHasAlerts] = useState(alertMail);
  const [hasDigest, setHasDigest] = useState(digestTimeZone !== null);
  const own = useTimeZone();
  const timeZone = digestTimeZone ?? (timeZones.includes(own) ? own : 'UTC');
  return (
    <Form action={action} state={state} className="flex max-w-md flex-col gap-4">
      <CheckField
        name="alertMail"
        label="Alerts"
        hint={ALERTS}
        checked={hasAlerts}
        onChange={(event) => setHasAlerts(event.target.checked)}
      />
      {/* Kept while alerts are off. */}
      <div hidden={!hasAlerts && !hasBrowser}>
        <RuleEditor
          name="alertRules"
          label="Rules for alerts"
          hint="Without rules, you get alerts for all monitors. With rules, only alerts that match one, and the recovery and reminders of those outages."
          value={JSON.stringify(alertRules)}
          kinds={MEMBER_KINDS}
          choices={ruleChoices}
          errors={state.errors}
          isMember
        />
      </div>
      <CheckField
        name="digest"
        label="Weekly digest"
        hint={DIGEST}
        checked={hasDigest}
        onChange={(event) => setHasDigest(event.target.checked)}
      />
      {hasDigest ? (
        <SelectField
          key={timeZone}
          name="digestTimeZone"
          label="Time zone of the digest"
          options={timeZones.map((zone) => ({ value: zone, label: zone }))}
          defaultValue={timeZone}
          error={state.errors.digestTimeZone}
        />
      ) : null}
      {isMailOn ? null : (
        <p className="text-sm text-muted">Your choice applies once this service can send email.</p>
      )}
      <div className="flex items-center gap-3">
        <SubmitButton tone="primary" isPending={isPending}>
          Save
        </SubmitButton>
        <Saved text={isPending ? undefined : state.saved} />
      </div>
    </Form>
  );
}
