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
    <ol className="promises mid">
      {promises.map(([promise, how], index) => (
        <li key={promise}>
          <span className="k" aria-hidden>
            {index + 1}
          </span>
          <p>
            <b>{promise}</b>
            <span className="sub">{how}</span>
          </p>
        </li>
      ))}
    </ol>
  );
}
