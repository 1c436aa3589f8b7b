import type { PageHead } from '@/lib/domain/status-pages/public/read-page-view';
import { isLinkUrl } from '@/lib/schemas/status-pages/brand';

type Props = { announcement: NonNullable<PageHead['announcement']> };

/** A line above the page. Copies of a page find it by its first attributes (ANNOUNCEMENT_MARKS), to leave it out once it has ended. */
export function AnnouncementBar({ announcement: { text, url, endsAt } }: Props) {
  return (
    <p id="announcement" data-ends={endsAt}>
      {url !== null && isLinkUrl(url) ? (
        <a href={url} rel="noopener">
          {text}
        </a>
      ) : (
        text
      )}
    </p>
  );
}
