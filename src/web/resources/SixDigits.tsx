/** The code that a person reads to an admin. It looks like two groups, but is one text for screen readers and copying. */
export function SixDigits({ code }: { code: string }) {
  return (
    <output aria-label="Your code" className="font-mono text-[2.5rem]/12 font-semibold tracking-widest" translate="no">
      <span className="mr-4">{code.slice(0, 3)}</span>
      <span>{code.slice(3)}</span>
    </output>
  );
}
