import Link from 'next/link';
import { Mark } from '@/components/shell/mark';
import { buttonLook } from '@/components/ui/button';
import { SearchBox } from './search-box';

type Props = { serviceName: string; documentUrl: string; isSignedIn: boolean };

/** The bar above the reference: whose it is, the search, and the ways out. */
export function DocsHeader({ serviceName, documentUrl, isSignedIn }: Props) {
  return (
    <header className="sticky top-0 z-30 border-b border-line bg-surface">
      <div className="mx-auto flex h-14 max-w-[100rem] items-center gap-3 px-4 sm:px-6">
        <Link prefetch={false} href="/docs" className="flex shrink-0 items-center gap-2 font-semibold">
          <Mark className="size-6" />
          <span className="max-sm:sr-only">{serviceName} API</span>
        </Link>
        <div className="flex min-w-0 flex-1 justify-end lg:justify-center">
          <SearchBox />
        </div>
        <a href={documentUrl} className={`${buttonLook({ tone: 'bare' })} max-sm:hidden`}>
          OpenAPI
        </a>
        <Link
          prefetch={false}
          href={isSignedIn ? '/monitors' : '/sign-in'}
          className={buttonLook({ tone: 'quiet' })}
        >
          {isSignedIn ? 'Monitors' : 'Sign in'}
        </Link>
      </div>
    </header>
  );
}
