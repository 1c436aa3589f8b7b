import { readChosen, readText } from '@/components/ui/forms/form-state';
import { DomainError, invalidField } from '@/lib/core/errors';
import { readImage } from '@/lib/core/images/read-image';
import { parseJson } from '@/lib/core/parse-json';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { setPageImage } from '@/lib/domain/status-pages/images/change-image';
import { readPageSettings } from '@/lib/domain/status-pages/page-row';
import { getEnvironment } from '@/lib/env';
import { contentOfChosen, isChosenImage } from '@/lib/schemas/status-pages/chosen-image';
import { IMAGE_PLACES, type ImagePlace } from '@/lib/schemas/status-pages/page-images';
import { MAX_PAGE_MONITORS } from '@/lib/schemas/status-pages/sections';
import type { StatusPage } from '@/lib/schemas/status-pages/status-page';

/** The submitted form as an unvalidated body of `POST /status-pages`. */
export function readPageForm(form: FormData): Record<string, unknown> {
  const text = (name: string) => String(form.get(name) ?? '').trim();
  return {
    name: text('name'),
    slug: text('slug'),
    description: readText(form, 'description').trim() || null,
    ...readBrand(form),
    theme: {
      primaryColor: text('primaryColor'),
      backgroundColor: text('backgroundColor'),
      textColor: text('textColor'),
    },
    ...readAppearance(form),
    ...readRows(form),
    showResponseTimes: form.has('showResponseTimes'),
    ...readUptimeDays(form),
    ...readEmbedOrigins(form),
    ...readPublication(form),
    published: form.has('published'),
  };
}

/** The fields of the form that are in an object in the API. */
const FORM_FIELDS: Record<string, string> = {
  'theme.primaryColor': 'primaryColor',
  'theme.backgroundColor': 'backgroundColor',
  'theme.textColor': 'textColor',
  'announcement.text': 'announcementText',
  'announcement.url': 'announcementUrl',
  'announcement.endsAt': 'announcementEndsAt',
  automaticIncidents: 'automaticShow',
  'automaticIncidents.show': 'automaticShow',
  'automaticIncidents.afterMinutes': 'automaticMinutes',
};

/** An error whose details name the form's fields. */
export function atFormFields(error: DomainError): DomainError {
  const details = error.details?.map((detail) => ({
    ...detail,
    path: FORM_FIELDS[detail.path] ?? detail.path,
  }));
  return new DomainError(error.code, error.message, details);
}

/** The fields of the page that are its brand. */
function readBrand(form: FormData): Record<string, unknown> {
  const text = (name: string) => String(form.get(name) ?? '').trim();
  const [links, announcement] = [form.get('links'), form.get('announcement')];
  return {
    ...readImageUrls(form),
    font: text('font') || null,
    links: links === null ? [] : parseJson(String(links)),
    timeZone: text('timeZone') || null,
    announcement: announcement === null ? null : parseJson(String(announcement)),
    customCss: text('customCss') === '' ? null : readText(form, 'customCss'),
    noindex: form.has('noindex'),
    poweredBy: form.has('poweredBy'),
  };
}

/** Whether it is light or dark; nothing from a form without the choice. */
function readAppearance(form: FormData): Record<string, unknown> {
  const appearance = form.get('appearance');
  return appearance === null ? {} : { appearance: String(appearance) };
}

/** The URLs of images, without those that are uploaded with the form. */
function readImageUrls(form: FormData): Record<string, unknown> {
  const urls = IMAGE_PLACES.map(([, field]) => [field, String(form.get(field) ?? '').trim()] as const);
  return Object.fromEntries(
    urls.filter(([, url]) => !isChosenImage(url)).map(([field, url]) => [field, url || null]),
  );
}

/** The images that were chosen, checked, with their places. Throws VALIDATION_ERROR. */
export function readChosenImages(form: FormData): [ImagePlace, Buffer<ArrayBuffer>][] {
  return IMAGE_PLACES.flatMap(([place, field]) => {
    const value = String(form.get(field) ?? '');
    if (!isChosenImage(value)) return [];
    const bytes = Buffer.from(contentOfChosen(value) ?? '', 'base64');
    const read = readImage(bytes);
    if ('problem' in read) throw invalidField(field, read.problem);
    return [[place, bytes]];
  });
}

/** Uploads the images that were chosen for a page that exists now. Returns the page as it is then. */
export async function uploadChosen(
  ctx: OrganizationContext,
  page: StatusPage,
  chosen: readonly [ImagePlace, Buffer<ArrayBuffer>][],
): Promise<StatusPage> {
  let latest = page;
  for (const [place, bytes] of chosen) {
    latest = await setPageImage(ctx, { slug: page.id, place }, bytes, readPageSettings(getEnvironment()));
  }
  return latest;
}

/** What the rows cover; nothing from a form without the choice. */
function readUptimeDays(form: FormData): Record<string, unknown> {
  const days = form.get('uptimeDays');
  return days === null ? {} : { uptimeDays: Number(days) };
}

/** Which websites may frame the page, one per line; nothing from a form without the field. */
function readEmbedOrigins(form: FormData): Record<string, unknown> {
  if (!form.has('embedOrigins')) return {};
  return {
    embedOrigins: readText(form, 'embedOrigins')
      .split(/[\s,]+/)
      .filter(Boolean),
  };
}

/** When the page shows automatic incidents; nothing from a form without the choice. */
function readPublication(form: FormData): Record<string, unknown> {
  const show = form.get('automaticShow');
  if (show === null) return {};
  const minutes = show === 'after' ? Number(form.get('automaticMinutes')) : null;
  return { automaticIncidents: { show, afterMinutes: minutes } };
}

/** The monitors of the form, or its sections, which have the monitors of their rows. */
function readRows(form: FormData): Record<string, unknown> {
  const sections = form.get('sections');
  if (sections === null) return { monitors: readChosen(form, 'monitors', MAX_PAGE_MONITORS), sections: [] };
  return { sections: parseJson(String(sections)) };
}
