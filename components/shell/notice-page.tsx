import type { ReactNode } from 'react';

/** A page that has one thing to say: not found, a fault, a closed door. */
export function NoticePage({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main id="content" className="mx-auto flex max-w-md flex-col items-start gap-4 px-4 py-24">
      <h1 className="text-xl font-semibold">{title}</h1>
      {children}
    </main>
  );
}
