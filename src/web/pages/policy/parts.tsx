import type { ReactNode } from 'react';
import type { Policy } from '#src/shared/policy/policy.ts';
import { policyWords } from '#src/shared/policy/policyWords.ts';
import { listInWords, revealHidden } from '#src/shared/text.ts';

export function Part({ title, text, children }: { title: string; text?: ReactNode; children: ReactNode }) {
  return (
    <section className="grid gap-3" aria-label={title}>
      <div>
        <h2>{title}</h2>
        {text && <p className="small sub">{text}</p>}
      </div>
      {children}
    </section>
  );
}

/** A whole policy in words. Null if none is in force. */
export function PolicyText({ policy }: { policy: Policy | null }) {
  return (
    <ul className="grid gap-2">
      {policyWords(policy).map((sentence) => (
        <li key={sentence} className="wrap-anywhere">
          {sentence}
        </li>
      ))}
    </ul>
  );
}

export function namesOf(people: readonly { name: string }[]): string {
  return listInWords(people.map(({ name }) => revealHidden(name)));
}
