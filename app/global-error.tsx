'use client';

import { LoadError } from '@/components/shell/load-error';
import './globals.css';

type Props = { error: Error & { digest?: string }; retry: () => void };

export default function GlobalError(props: Props) {
  return (
    <html lang="en">
      <body className="bg-canvas font-sans text-ink">
        <title>This page could not be loaded</title>
        <LoadError {...props} />
      </body>
    </html>
  );
}
