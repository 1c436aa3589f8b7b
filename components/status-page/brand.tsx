import { fill } from '@/lib/core/text';
import type { PageHead } from '@/lib/domain/status-pages/public/read-page-view';
import type { PageLink } from '@/lib/schemas/status-pages/brand';
import { linksAt, type PagePlace, readImage } from './links';
import type { ThemeCss } from './theme/theme-css';
import type { Translator } from './translator';

/** The service that serves the page; `url` is null if it does not know its own. */
export type ServiceName = { name: string; url: string | null };

type LogoProps = { page: PageHead; place: PagePlace; schemes: ThemeCss['schemes'] };

/**
 * The logo for the color scheme of the page, in the space of its size, if that is known. One that cannot be loaded is a float without height,
 * which takes no space, not even its margin.
 */
export function Logo({ page, place, schemes }: LogoProps) {
  const [onLight, onDark] = [readImage(place, page.logoUrl), readImage(place, page.darkLogoUrl)];
  const shown = schemes === 'dark' ? (onDark ?? onLight) : (onLight ?? onDark);
  if (shown === null) return null;
  const { src, size } = shown;
  return (
    <span className="logo">
      <picture>
        {schemes === 'both' && onDark !== null && onDark !== shown ? (
          <source
            srcSet={srcSetOf(onDark.src)}
            {...onDark.size}
            media="screen and (prefers-color-scheme:dark)"
          />
        ) : null}
        <img src={src} alt="" height="32" {...size} loading="lazy" referrerPolicy="no-referrer" />
      </picture>
    </span>
  );
}

/** A single candidate: commas at the end of a URL would separate it from a next one. */
function srcSetOf(url: string): string {
  return url.replace(/,/g, '%2C');
}

/** Links of the owner, in order. */
export function OwnLinks({ links, place }: { links: readonly PageLink[]; place: PageLink['place'] }) {
  return linksAt(links, place).map(({ label, url }) => (
    <a key={`${label} ${url}`} href={url} rel="noopener">
      {label}
    </a>
  ));
}

/** The name of the service, unless the owner has removed it. */
export function PoweredBy({ service, t }: { service: ServiceName; t: Translator }) {
  const text = fill(t.messages.poweredBy, { name: service.name });
  return (
    <p className="by">
      {service.url === null ? (
        text
      ) : (
        <a href={service.url} rel="noopener">
          {text}
        </a>
      )}
    </p>
  );
}
