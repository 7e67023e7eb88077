const promises = [
  ['It never pays twice.', 'Every payment is recorded before it is sent, so a retry can never pay twice.'],
  [
    'It never says “sent” or “not sent” without proof.',
    'Until there is proof, a payment is unconfirmed, and you see what to do.',
  ],
  ['It never shows a wrong digit.', 'Every digit, exactly as received. Never rounded.'],
] as const;

export function Promises() {
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
