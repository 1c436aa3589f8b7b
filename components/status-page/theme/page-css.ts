import type { PageHead } from '@/lib/domain/status-pages/public/read-page-view';
import type { PagePreview } from '@/lib/schemas/status-pages/page-preview';
import { type ThemeCss, themeCss, themeCssFor } from './theme-css';

/** Only fonts that systems have: none is loaded. The sans-serif ones are in the stylesheet. */
const FONT_CSS: Record<PageHead['font'], string> = {
  sans: '',
  serif: 'body{font-family:ui-serif,Charter,"Iowan Old Style",Georgia,Cambria,"Noto Serif",serif}',
  mono: 'body{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"Noto Sans Mono",monospace}',
};

type Look = Pick<PageHead, 'theme' | 'font'>;

/** The styles of a page besides those that all pages have. `preferred` is the color scheme of a preview. */
export function pageCss({ theme, font }: Look, preferred?: PagePreview['scheme']): ThemeCss {
  const colors = preferred === undefined ? themeCss(theme) : themeCssFor(theme, preferred);
  return { ...colors, css: colors.css + FONT_CSS[font] };
}
