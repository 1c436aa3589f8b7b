'use client';

import { signIn } from 'next-auth/react';
import { useState, useTransition } from 'react';
import { Button } from '@/components/ui/button';

/** A way to sign in other than a password. */
export type ShownProvider = { id: string; name: string };

type Props = {
  providers: readonly ShownProvider[];
  /** A path of this site. */
  callbackUrl: string;
};

/** Buttons that continue at a provider; next-auth remembers where the sign-in began. */
export function ProviderButtons({ providers, callbackUrl }: Props) {
  const [isPending, start] = useTransition();
  const [chosen, choose] = useState<string | null>(null);
  const proceed = (id: string) => {
    choose(id);
    start(async () => {
      await signIn(id, { callbackUrl });
    });
  };
  return (
    <div className="flex flex-col gap-2">
      {providers.map(({ id, name }) => (
        <Button
          key={id}
          size="large"
          disabled={isPending}
          aria-busy={isPending && chosen === id}
          onClick={() => proceed(id)}
        >
          <span className="truncate">Continue with {name}</span>
        </Button>
      ))}
    </div>
  );
}

/** Separates providers from the form. */
export function OrDivider() {
  return (
    <p className="flex items-center gap-3 text-xs text-muted before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
      or
    </p>
  );
}
