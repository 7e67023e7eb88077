import type { ReactNode } from 'react';
import { BrandMark } from '#src/web/ui/Mark.tsx';

const pageClass = [
  'row-span-full grid grid-rows-subgrid px-12 py-8 *:w-full *:max-w-120',
  'narrow:flex narrow:flex-col narrow:gap-4 narrow:p-4',
].join(' ');
const leftClass = [
  pageClass,
  '*:justify-self-end narrow:order-2 narrow:flex-1 narrow:bg-desk',
  'narrow:border-t-3 narrow:border-double narrow:border-rule-cash',
].join(' ');
const brandClass = 'brand p-0 text-lead/5 [&_.mark]:size-8';

/** Layout for people who aren't signed in: what Countinghouse promises, and beside it the page's content. */
export function SignInFrame({ children }: { children: ReactNode }) {
  return (
    <div className="grid min-h-dvh grid-cols-2 grid-rows-[auto_minmax(0,1fr)_auto] narrow:flex narrow:flex-col narrow:bg-sheet">
      <section className={leftClass} aria-label="What Countinghouse promises">
        <p className={`${brandClass} narrow:hidden`}>
          <BrandMark />
          Countinghouse
        </p>
        <Promises />
        <p className="dim small">Countinghouse shows your account at the payments provider. It never holds funds.</p>
      </section>
      <main className={`${pageClass} border-l-3 border-double border-rule-cash bg-sheet narrow:border-l-0`}>
        <p className={`${brandClass} hidden narrow:flex`}>
          <BrandMark />
          Countinghouse
        </p>
        <div className="row-start-2 grid gap-5 self-center narrow:self-stretch narrow:py-2">{children}</div>
      </main>
    </div>
  );
}

const promises = [
  ['It never pays twice.', 'Every payment is recorded before it is sent, so a retry can never pay twice.'],
  [
    'It never says “sent” or “not sent” without proof.',
    'Until there is proof, a payment is unconfirmed, and you see what to do.',
  ],
  ['It never shows a wrong digit.', 'Every digit, exactly as received. Never rounded.'],
] as const;

function Promises() {
  return (
    <ol className="row-start-2 self-center border-t border-rule-strong narrow:self-stretch narrow:py-2">
      {promises.map(([promise, how], index) => (
        <li
          key={promise}
          className="grid grid-cols-[2.5rem_minmax(0,1fr)] border-b border-rule-strong py-4 last:border-b-3 last:border-double last:border-b-rule-cash"
        >
          <span className="font-mono leading-6 text-ink-3" aria-hidden>
            {index + 1}
          </span>
          <p>
            <b className="block text-lead">{promise}</b>
            <span className="sub">{how}</span>
          </p>
        </li>
      ))}
    </ol>
  );
}
