import { LRUCache } from 'lru-cache';
import type { PageHead } from '@/lib/domain/status-pages/public/read-page-view';
import { readCustomCss } from '@/lib/schemas/status-pages/custom-css';
import type { PagePreview } from '@/lib/schemas/status-pages/page-preview';
import { type ThemeCss, themeCss, themeCssFor } from './theme-css';

/** Only fonts that systems have, so that pages load no font. The sans-serif ones are in the stylesheet. */
const FONT_CSS: Record<PageHead['font'], string> = {
  sans: '',
  serif: 'body{font-family:ui-serif,Charter,"Iowan Old Style",Georgia,Cambria,"Noto Serif",serif}',
  mono: 'body{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"Noto Sans Mono",monospace}',
};

type Look = Pick<PageHead, 'theme' | 'appearance' | 'font' | 'customCss'>;

/** The styles of a page besides those that all pages have. `preferred` is the color scheme of a preview. */
export function pageCss(
  { theme, appearance, font, customCss }: Look,
  preferred?: PagePreview['scheme'],
): ThemeCss {
  const look = { ...theme, appearance };
  const colors = preferred === undefined ? themeCss(look) : themeCssFor(look, preferred);
  const own = customCss === null ? '' : cache.memo(customCss);
  return { ...colors, css: colors.css + FONT_CSS[font] + own };
}

/** Parsing takes milliseconds. CSS that is refused, because it is still being typed or a newer version refuses it, is left out. */
const cache = new LRUCache<string, string>({
  maxSize: 4_000_000,
  sizeCalculation: (css, source) => css.length + source.length + 1,
  memoMethod: (source) => {
    const read = readCustomCss(source);
    return 'css' in read ? read.css : '';
  },
});
