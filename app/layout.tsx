import { GeistMono } from 'geist/font/mono';
import { GeistSans } from 'geist/font/sans';
import type { Metadata, Viewport } from 'next';
import type { ReactNode } from 'react';
import { getEnvironment } from '@/lib/env';
import { getTheme } from './theme-cookie';
import './globals.css';

export function generateMetadata(): Metadata {
  const { SERVICE_NAME } = getEnvironment();
  return {
    title: { default: SERVICE_NAME, template: `%s · ${SERVICE_NAME}` },
    robots: { index: false, follow: false },
  };
}

export const viewport: Viewport = { width: 'device-width', initialScale: 1, viewportFit: 'cover' };

export default async function RootLayout({ children }: { children: ReactNode }) {
  return (
    <html lang="en" data-theme={await getTheme()} className={`${GeistSans.variable} ${GeistMono.variable}`}>
      <body className="min-h-dvh bg-canvas pr-[env(safe-area-inset-right)] pl-[env(safe-area-inset-left)] font-sans text-ink antialiased">
        <a
          href="#content"
          className="sr-only z-50 rounded-md bg-accent px-3 py-2 text-accent-ink focus:not-sr-only focus:absolute focus:top-2 focus:left-2"
        >
          Skip to content
        </a>
        {children}
      </body>
    </html>
  );
}
