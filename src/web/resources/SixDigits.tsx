/** The code that a person reads to an admin: one text for a screen reader and for copying, in two groups for the eye. */
export function SixDigits({ code }: { code: string }) {
  return (
    <output aria-label="Your code" className="font-mono text-[2.5rem]/12 font-semibold tracking-widest" translate="no">
      <span className="mr-4">{code.slice(0, 3)}</span>
      <span>{code.slice(3)}</span>
    </output>
  );
}
