'use client';

import { useState } from 'react';
import { SelectField, TextArea } from '@/components/ui/field';
import { INCIDENT_SEVERITIES, INCIDENT_STATUSES } from '@/lib/schemas/incident-statuses';
import type { AudienceOf } from './audience-of';
import { STATUS_WORDS } from './incident-texts';
import { PublicPreview } from './public-preview';
import { MailNote } from './shown-on';

type Props = {
  values: Record<string, string>;
  errors: Record<string, string>;
  /** What the form holds besides. */
  shown: { title: string; severity: string; chosen: readonly string[] };
  monitors: readonly { id: string; name: string }[];
  audience: AudienceOf;
};

const STATUSES = INCIDENT_STATUSES.map((value) => ({ value, label: STATUS_WORDS[value] }));

/** How an incident begins: its status and what is said first, with what the public will read. */
export function FirstMessage({ values, errors, shown, monitors, audience }: Props) {
  const [message, setMessage] = useState(values.description ?? '');
  const [status, setStatus] = useState(values.status ?? 'investigating');
  const { title, severity, chosen } = shown;
  const isShown = new Set(audience.pages.flatMap((page) => page.monitors));
  const names = monitors.filter(({ id }) => chosen.includes(id) && isShown.has(id)).map(({ name }) => name);
  return (
    <>
      <SelectField
        name="status"
        label="Status"
        options={STATUSES}
        value={status}
        onChange={(event) => setStatus(event.target.value)}
        error={errors.status}
        className="sm:w-56"
      />
      <TextArea
        name="description"
        label="First message"
        hint="Public. Without it the title is said."
        placeholder="What people notice, and what is being done."
        className="[&_textarea]:font-sans"
        rows={4}
        value={message}
        onChange={(event) => setMessage(event.target.value)}
        error={errors.description}
      />
      <section className="flex flex-col gap-1" aria-labelledby="preview">
        <h2 id="preview" className="text-sm font-medium">
          What visitors will read
        </h2>
        {audience.pages.length > 0 ? (
          <PublicPreview
            title={title}
            message={message}
            status={INCIDENT_STATUSES.find((each) => each === status) ?? 'investigating'}
            severity={INCIDENT_SEVERITIES.find((each) => each === severity) ?? 'major'}
            names={names}
          />
        ) : (
          <p className="text-muted">
            Nothing: choose a monitor that is on a status page, and it is shown there.
          </p>
        )}
        <MailNote audience={audience} />
      </section>
    </>
  );
}
