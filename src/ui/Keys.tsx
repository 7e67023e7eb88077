/** A key, or two to be pressed one after the other: "G B". */
export function Keys({ keys, className }: { keys: string; className?: string }) {
  const [first, second] = keys.split(' ');
  return (
    <span className={className} aria-hidden>
      <kbd>{first}</kbd>
      {second !== undefined && <kbd>{second}</kbd>}
    </span>
  );
}
