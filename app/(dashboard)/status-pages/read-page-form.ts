import { readChosen } from '@/components/ui/forms/form-state';
import { DomainError } from '@/lib/core/errors';
import { MAX_PAGE_MONITORS } from '@/lib/schemas/status-pages/sections';

/** The submitted form as an unvalidated body of `POST /status-pages`. */
export function readPageForm(form: FormData): Record<string, unknown> {
  const text = (name: string) => String(form.get(name) ?? '').trim();
  return {
    name: text('name'),
    slug: text('slug'),
    // Browsers submit line breaks as CR LF.
    description: text('description').replaceAll('\r\n', '\n') || null,
    logoUrl: text('logoUrl') || null,
    theme: {
      primaryColor: text('primaryColor'),
      backgroundColor: text('backgroundColor'),
      textColor: text('textColor'),
    },
    monitors: readChosen(form, 'monitors', MAX_PAGE_MONITORS),
    showResponseTimes: form.has('showResponseTimes'),
    published: form.has('published'),
  };
}

/** An error whose details name the form's fields: it has three colors instead of `theme`. */
export function atFormFields(error: DomainError): DomainError {
  const details = error.details?.map((detail) => ({ ...detail, path: detail.path.replace(/^theme\./, '') }));
  return new DomainError(error.code, error.message, details);
}
