import { IMPACT } from '@/components/incidents/impact-prefix';
import { readTranslations } from '@/components/translations/read-translations';
import { readChosen, readText } from '@/components/ui/forms/form-state';
import { NO_QUIET_TIME } from '@/lib/schemas/incidents/incident';

/** The submitted form as an unvalidated body of `PUT /incidents/:id`. */
export function readIncidentForm(form: FormData): Record<string, unknown> {
  const translations = readTranslations(form, ['title', 'description']);
  return { ...readDescription(form), impacts: readImpacts(form), translations };
}

/** The severities of single rows; the form has those of affected ones. */
function readImpacts(form: FormData): Record<string, string> {
  const chosen = [...form.keys()].filter((name) => name.startsWith(IMPACT) && readText(form, name) !== '');
  return Object.fromEntries(chosen.map((name) => [name.slice(IMPACT.length), readText(form, name)]));
}

/** What incidents and templates have in common. */
function readDescription(form: FormData): Record<string, unknown> {
  return {
    title: readText(form, 'title'),
    severity: readText(form, 'severity'),
    affectedMonitors: readChosen(form, 'affectedMonitors', 1000),
    affectedComponents: readChosen(form, 'affectedComponents', 1000),
  };
}

/** The same for `POST /incidents`, with its first status and message. */
export function readNewIncidentForm(form: FormData): Record<string, unknown> {
  const first = { status: readText(form, 'status'), description: readText(form, 'description') };
  return { ...readIncidentForm(form), ...first };
}

/** The body of `POST` and `PUT /incident-templates`. */
export function readTemplateForm(form: FormData): Record<string, unknown> {
  return {
    ...readDescription(form),
    name: readText(form, 'name'),
    status: readText(form, 'status'),
    message: readText(form, 'message'),
    translations: readTranslations(form, ['title', 'message']),
  };
}

/** The body of `POST /incidents/:id/updates`. The form has the quiet time only for `monitoring`. */
export function readUpdateForm(form: FormData): Record<string, unknown> {
  const minutes = readText(form, 'resolveAfterMinutes').trim();
  return {
    message: readText(form, 'message'),
    translations: readTranslations(form, ['message']),
    status: readText(form, 'status') || null,
    ...(form.has('resolveAfterMinutes')
      ? { resolveAfterMinutes: minutes === '' ? null : Number(minutes) }
      : {}),
    ...(readText(form, 'when') === 'later' ? { publishAt: readText(form, 'publishAt') } : {}),
  };
}

/**
 * The body of `PUT /incidents/:id/updates/:updateId`. The form of a published update has only translations. A scheduled one has 0 as its
 * quiet time if people resolve the incident.
 */
export function readChangedUpdateForm(form: FormData): Record<string, unknown> {
  if (!form.has('message')) return { translations: readTranslations(form, ['message']) };
  const update = readUpdateForm(form);
  return update.resolveAfterMinutes === null ? { ...update, resolveAfterMinutes: NO_QUIET_TIME } : update;
}

/** The postmortem for `PUT /incidents/:id`. Browsers omit unchecked boxes. */
export function readPostmortemForm(form: FormData): Record<string, unknown> {
  return {
    postmortem: readText(form, 'postmortem'),
    postmortemPublished: form.get('postmortemPublished') !== null,
  };
}
