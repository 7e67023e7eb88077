const promises = [
  ['It never pays twice.', 'One payment, one key, one record, kept before the first byte leaves.'],
  [
    'It never says sent, or not sent, without proof.',
    'Until there is proof it says unconfirmed, and what to do about it.',
  ],
  ['It never shows a wrong digit.', 'Amounts are shown as the service sent them, every digit, never rounded.'],
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
